package import InternetAddresses
package import LabKernel
import LinkEmulator
package import LinkEngines
import NetworkMonitor
import Record
package import ScenarioLanguage

/// The private internet of one run: a client namespace, an internet namespace and the links between them.
///
/// None of it has a name outside this process: when the process ends, even by kill -9, the kernel removes all of it.
package final class Lab {
    package let client: NetworkNamespace
    package let internet: NetworkNamespace
    private let clientLink: NetlinkSocket
    private let internetLink: NetlinkSocket
    private let engine: any LinkEngine
    private var translator: TranslatorNode?
    private var clientTranslator: ClientTranslatorNode?
    private var plan: NetworkPlan
    /// True if the lab was built for both address families without NAT64, so that its servers have all addresses.
    private let canSwitchNAT64: Bool
    private let observer: LinkObserver
    private var links: [InterfaceKind: LabLink] = [:]
    /// Measurements of changed links that are still in progress.
    private var measurements: [DedicatedThread] = []
    private let turns = InterfaceKind.allCases.reduce(into: [:]) { $0[$1] = MeasurementTurns() }

    package init(
        _ plan: NetworkPlan, engine choice: EngineChoice, seed: UInt64, capture: Capture?,
        breakpoints: [PacketBreakpoint],
        decisions: DecisionRecorder = DecisionRecorder(), observer: @escaping LinkObserver
    ) throws(LabError) {
        self.plan = plan
        canSwitchNAT64 = plan.nat64 == nil && plan.families == .both
        self.observer = observer
        do throws(SystemCallError) {
            client = try NetworkNamespace.make()
            internet = try NetworkNamespace.make()
        } catch {
            throw .machine(
                "a network namespace cannot be created: \(error)", fix: "run `crosswind doctor` to see what is missing")
        }
        do throws(NetlinkError) {
            clientLink = try NetlinkSocket(in: client)
            internetLink = try NetlinkSocket(in: internet)
        } catch {
            throw .failed("\(error)")
        }
        engine = try EngineSelection.make(
            choice, plan: plan, seed: seed, capture: capture, breakpoints: breakpoints, decisions: decisions,
            client: client,
            internet: internet, observer: observer)
        try prepareInternet()
        if let nat64 = plan.nat64 {
            translator = try TranslatorNode(nat64, in: internet, observer: observer)
        }
        for interface in plan.interfaces {
            try makeLink(interface)
        }
        if let nat64 = plan.nat64, nat64.clat {
            clientTranslator = try ClientTranslatorNode(nat64, client: client, internet: internet, observer: observer)
            try clientTranslator?.setDefaultRoute(links.values.contains(where: \.ends.hasDefaultRoute))
        }
    }

    package var engineName: String { engine.name }

    /// A sentence for the record: the link engine, and the congestion control that TCP has from this machine.
    package var engineNote: String {
        let control = (try? internet.sysctl("net/ipv4/tcp_congestion_control")).map {
            ", congestion control of TCP: \($0)"
        }
        return "link engine: \(engineName)\(control ?? "")"
    }

    private var hasIPv4: Bool { plan.families != .ipv6 && plan.nat64 == nil }
    private var hasIPv6: Bool { plan.families != .ipv4 }
    /// Behind NAT64 the origin has IPv4 only, so that the translator is needed.
    private var originHasIPv6: Bool { hasIPv6 && plan.nat64 == nil }

    /// The addresses on which the origin listens and with which the name server responds.
    package var originAddresses: [IPAddress] {
        ((hasIPv4 || plan.nat64 != nil) ? [address(Addressing.origin4)] : [])
            + (originHasIPv6 ? [address(Addressing.origin6)] : [])
    }

    /// All addresses of the name server: each network announces its own.
    package var allNameServerAddresses: [IPAddress] { InterfaceKind.allCases.flatMap(nameServers) }

    /// The name servers that a network manager would configure for the client now: those of the interface through which
    /// packets leave, or without any route those of the preferred interface.
    package var nameServerAddresses: [IPAddress] { nameServerAddresses(after: nil) }

    /// Returns the name servers for the time after a change. Programs query names as soon as they see a new route, so
    /// the name servers are configured before the change is made.
    package func nameServerAddresses(after change: NetworkChange?) -> [IPAddress] {
        var hasRoute = links.mapValues(\.ends.hasDefaultRoute)
        switch change {
        case .interfaceState(let kind, let state):
            hasRoute[kind] = InterfaceEnds.hasDefaultRoute(state, hasIPv4: hasIPv4, hasIPv6: hasIPv6)
        case .link(let kind, _): hasRoute[kind] = hasRoute[kind] ?? true
        case .name, .proxy, .faults, .renumber, .cost, .connections, .flaps, .program, .power, .disk, nil: break
        }
        let ranked = hasRoute.sorted { metric($0.key) < metric($1.key) }
        return (ranked.first(where: \.value) ?? ranked.first).map { nameServers($0.key) } ?? []
    }

    private func metric(_ kind: InterfaceKind) -> UInt32 { links[kind]?.ends.metric ?? kind.routeMetric }

    private func nameServers(_ kind: InterfaceKind) -> [IPAddress] {
        let names = Addressing.names(kind)
        return (hasIPv4 ? [address(names.v4)] : []) + (hasIPv6 ? [address(names.v6)] : [])
    }

    private func address(_ text: String) -> IPAddress { InterfaceEnds.address(text) }

    // MARK: - Building

    private func prepareInternet() throws(LabError) {
        do throws(NetlinkError) {
            let loopback = try internetLink.link(named: "lo").index
            for address in originAddresses + allNameServerAddresses {
                try internetLink.addAddress(AddressPrefix(host: address), to: loopback)
            }
            do throws(SystemCallError) {
                for namespace in [internet, client] {
                    // New namespaces copy these settings from the machine, which Docker makes a router. As a router,
                    // the internet would respond for addresses that no host has.
                    try namespace.setSysctl("net/ipv4/ip_forward", "0")
                    // Each interface of a client responds on its own link, whatever the route back is.
                    for setting in ["all", "default"] {
                        try namespace.setSysctl("net/ipv4/conf/\(setting)/rp_filter", "0")
                    }
                }
            } catch {
                throw .system(error)
            }
        } catch {
            throw .failed("\(error)")
        }
    }

    private func makeLink(_ interface: InterfacePlan) throws(LabError) {
        let kind = interface.kind
        try engine.makeLink(kind, client: client, internet: internet, LinkState(interface.link, in: interface.state))
        do throws(NetlinkError) {
            do throws(SystemCallError) {
                // Only the addresses of the plan: no generated addresses, and no family outside the plan.
                for (namespace, name) in [(client, kind.linuxName), (internet, kind.networkName)] {
                    try namespace.setSysctl("net/ipv6/conf/\(name)/accept_dad", "0")
                    try namespace.setSysctl("net/ipv6/conf/\(name)/accept_ra", "0")
                    try namespace.setSysctl("net/ipv6/conf/\(name)/router_solicitations", "0")
                    if !hasIPv6 { try namespace.setSysctl("net/ipv6/conf/\(name)/disable_ipv6", "1") }
                }
            } catch {
                throw .system(error)
            }
            let ends = try InterfaceEnds(
                kind, client: clientLink, internet: internetLink, hasIPv4: hasIPv4, hasIPv6: hasIPv6,
                cable: engine.hasNeighbours ? .farEnd : .device, metric: interface.metric)
            links[kind] = LabLink(plan: interface.link, ends: ends)
            if !interface.cost.alias(of: kind).isEmpty { try setCost(kind, interface.cost) }
        } catch {
            throw .failed("\(error)")
        }
        try enter(interface.state, kind)
    }

    // MARK: - Changing

    /// Makes a change. Returns when it is in force, records the requested condition, and starts its measurement.
    package func apply(_ change: NetworkChange) throws(LabError) {
        switch change {
        case .interfaceState(let kind, _), .link(let kind, _):
            let turn = turns[kind]?.begin()
            try put(change)
            if let turn { try measureBeside(kind, turn) }
        case .name, .proxy, .faults, .renumber, .cost, .connections, .flaps, .program, .power, .disk: try put(change)
        }
    }

    private func put(_ change: NetworkChange) throws(LabError) {
        switch change {
        case .interfaceState(let kind, let state):
            guard let link = links[kind] else {
                return try makeLink(InterfacePlan(kind: kind, link: .perfect, state: state))
            }
            // Among the interface states only the black hole concerns the engine; repeating any other would restart its
            // condition.
            if (state == .blackhole) != (link.ends.state == .blackhole) {
                try engine.change(kind, LinkState(link.plan, in: state))
            }
            try enter(state, kind)
        case .link(let kind, let plan):
            guard let link = links[kind] else { return try makeLink(InterfacePlan(kind: kind, link: plan)) }
            links[kind]?.plan = plan
            try engine.change(kind, LinkState(plan, in: link.ends.state))
            reportRequestedConditions(kind)
        case .name, .proxy, .faults, .program, .power, .disk: break  // Handled by the servers and the driver.
        case .renumber(let kind):
            let fact = try changing(kind) { ends throws(NetlinkError) in
                try ends.renumber()
                let words = (hasIPv4 ? [ends.near4] : []) + (hasIPv6 ? [ends.near6] : [])
                return "renumbered to " + words.map(\.description).joined(separator: " ")
            }
            observer(.fact(.interfaceChanged(kind, fact)))
        case .cost(let kind, let cost):
            _ = try existing(kind)
            do throws(NetlinkError) { try setCost(kind, cost) } catch { throw .failed("\(error)") }
        case .connections(let cut):
            _ = try existing(cut.interface)
            try engine.kill(cut)
            observer(.fact(.interfaceChanged(cut.interface, cut.summary)))
        case .flaps(let kind, _):
            throw .failed("the flapping of \(kind.rawValue) must be applied step by step")
        }
    }

    /// Puts the client behind NAT64, with IPv6 addresses only, or removes it (nil). Returns when it is in force.
    func setNAT64(_ nat64: NAT64Plan?) throws(LabError) {
        guard canSwitchNAT64 else {
            throw .failed(
                "NAT64 cannot be switched in a lab that started with \(plan.nat64 == nil ? "one address family" : "NAT64"); start it with both address families and without NAT64"
            )
        }
        if let nat64, translator == nil {
            translator = try TranslatorNode(nat64, in: internet, observer: observer)
        }
        plan.nat64 = nat64
        for kind in InterfaceKind.allCases where links[kind] != nil {
            try changing(kind) { ends throws(NetlinkError) in try ends.setIPv4(hasIPv4) }
            observer(.fact(.interfaceChanged(kind, nat64 == nil ? "without NAT64" : "behind NAT64, IPv6 only")))
        }
    }

    /// Adds a breakpoint at the k-th packet from now. Returns the packet's number since the start.
    func addBreakpoint(_ kind: InterfaceKind, _ direction: LinkDirectionName, packetsFromNow count: Int)
        throws(LabError) -> Int
    {
        try engine.addBreakpoint(kind, direction, packetsFromNow: count)
    }

    private func existing(_ kind: InterfaceKind) throws(LabError) -> LabLink {
        guard let link = links[kind] else { throw .failed("the lab does not have a \(kind.rawValue) interface") }
        return link
    }

    private func changing<Value>(
        _ kind: InterfaceKind, _ body: (inout InterfaceEnds) throws(NetlinkError) -> Value
    ) throws(LabError) -> Value {
        var link = try existing(kind)
        // The changes made before a failure are kept, as they are in force.
        defer { links[kind] = link }
        do throws(NetlinkError) { return try body(&link.ends) } catch { throw .failed("\(error)") }
    }

    /// Sets the client's end to this state: addresses and routes as a network manager would configure them.
    private func enter(_ state: InterfaceState, _ kind: InterfaceKind) throws(LabError) {
        let hasRoute = links.contains { link in
            link.key == kind
                ? InterfaceEnds.hasDefaultRoute(state, hasIPv4: hasIPv4, hasIPv6: hasIPv6)
                : link.value.ends.hasDefaultRoute
        }
        // The translator's route never leads to packets without a way out.
        if !hasRoute { try clientTranslator?.setDefaultRoute(false) }
        try changing(kind) { ends throws(NetlinkError) in try ends.enter(state) }
        if hasRoute { try clientTranslator?.setDefaultRoute(true) }
        observer(.fact(.interfaceState(kind, state)))
        if state != .down { reportRequestedConditions(kind) }
    }

    private func setCost(_ kind: InterfaceKind, _ cost: InterfaceCost) throws(NetlinkError) {
        try links[kind]?.ends.applyCost(cost)
        let alias = cost.alias(of: kind)
        observer(.fact(.interfaceChanged(kind, alias.isEmpty ? "no marks" : "marked \(alias)")))
    }

    private func reportRequestedConditions(_ kind: InterfaceKind) {
        guard let found = links[kind] else { return }
        let link = LinkState(found.plan, in: found.ends.state)
        for direction in LinkDirectionName.allCases {
            let requested: Labelled<NetworkFact.LinkName> =
                link.swallowsEverything
                ? Labelled(.blackHole) : Labelled(name: link.plan.name, link.condition(direction).summary)
            observer(.fact(.conditionRequested(kind, direction, requested)))
        }
    }

    // MARK: - Measuring

    /// Probes every interface that is up, in both directions at once, and records the measurements. Later packets count
    /// as the client's.
    package func probe() throws(LabError) {
        for kind in InterfaceKind.allCases { try measuring(of: kind)?.run() }
        try engine.startCounting()
    }

    /// Returns the measurement to make; nil for an interface without an address.
    private func measuring(of kind: InterfaceKind) -> LinkMeasuring? {
        guard let found = links[kind], found.ends.hasAddress else { return nil }
        let ends = found.ends
        return LinkMeasuring(
            kind: kind, link: ends.state == .blackhole ? nil : found.plan, client: client, internet: internet,
            near: hasIPv4 ? ends.near4 : ends.near6, far: hasIPv4 ? ends.far4 : ends.far6, burst: engine.burst,
            observer: observer)
    }

    /// Measures a changed link during the run; its few small packets are excluded from the counts and consume no random
    /// draws.
    private func measureBeside(_ kind: InterfaceKind, _ turn: MeasurementTurns.Turn) throws(LabError) {
        guard var measuring = measuring(of: kind) else { return }
        let observer = self.observer
        let current: LinkObserver = { event in if turn.isCurrent { observer(event) } }
        measuring.observer = engine.probeObserver(before: current)
        let found = measuring
        // Changes in quick succession must not create an unlimited number of threads.
        if measurements.count >= 16 { measurements.removeAll() }
        do throws(SystemCallError) {
            measurements.append(
                try DedicatedThread(name: "cw-measure") {
                    do throws(LabError) { try turn.take(found.run) } catch {
                        current(
                            .fact(
                                .conditionMeasured(
                                    kind, .uplink, .init(means: .probe, packets: 0, lost: 0, text: "\(error)"))))
                    }
                })
        } catch {
            throw .failed("\(error)")
        }
    }

    /// Resumes the network, which was suspended at a packet mark, after its changes have been applied. Called once for
    /// each mark.
    package func resume() { engine.resume() }

    /// Records the measurements on the traffic and the packet count of each interface.
    package func report() {
        measurements.removeAll()  // Waits for all of them.
        for kind in InterfaceKind.allCases where links[kind] != nil { engine.measure(kind) }
        engine.count()
    }

    /// Returns what every link has carried so far, without disturbing measurements.
    package func traffic() -> [LinkTraffic] { engine.traffic() }

    package func stop() {
        measurements.removeAll()
        engine.stop()
        translator?.stop()
        clientTranslator?.stop()
    }
}

/// One interface of the lab: the condition of its link and the state of its ends.
private struct LabLink {
    var plan: LinkPlan
    var ends: InterfaceEnds
}

extension LinkState {
    fileprivate init(_ plan: LinkPlan, in state: InterfaceState) {
        self.init(plan: plan, swallowsEverything: state == .blackhole)
    }
}
