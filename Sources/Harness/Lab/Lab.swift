package import LinuxNet
package import Scenario

/// The private internet of one run: a client namespace, an internet namespace and the links between them.
///
/// Nothing of it has a name outside this process: when the process ends, even by kill -9, the kernel takes it all away.
package final class Lab {
    package let client: NetworkNamespace
    package let internet: NetworkNamespace
    private let clientLink: NetlinkSocket
    private let internetLink: NetlinkSocket
    private let engine: any LinkEngine
    private let translator: TranslatorNode?
    private var clientTranslator: ClientTranslatorNode?
    private let plan: NetworkPlan
    private let observer: LinkObserver
    private var links: [InterfaceKind: LabLink] = [:]
    /// Measurements of changed links that are still under way.
    private var measurements: [DedicatedThread] = []

    package init(
        _ plan: NetworkPlan, engine choice: EngineChoice, seed: UInt64, capture: Capture?, marks: [PacketMark],
        decisions: DecisionBook = DecisionBook(), observer: @escaping LinkObserver
    ) throws(HarnessError) {
        self.plan = plan
        self.observer = observer
        do throws(SystemCallError) {
            client = try NetworkNamespace.make()
            internet = try NetworkNamespace.make()
        } catch {
            throw .machine("a network namespace cannot be made: \(error)", mend: "crosswind doctor says what is missing")
        }
        do throws(NetlinkError) {
            clientLink = try NetlinkSocket(in: client)
            internetLink = try NetlinkSocket(in: internet)
        } catch {
            throw .lab("\(error)")
        }
        engine = try EngineSelection.make(
            choice, plan: plan, seed: seed, capture: capture, marks: marks, decisions: decisions, client: client,
            internet: internet, observer: observer)
        if let nat64 = plan.nat64 {
            translator = try TranslatorNode(nat64, in: internet, observer: observer)
        } else {
            translator = nil
        }
        try prepareInternet()
        for interface in plan.interfaces {
            try makeLink(interface)
        }
        if let nat64 = plan.nat64, nat64.clat {
            clientTranslator = try ClientTranslatorNode(nat64, client: client, internet: internet, observer: observer)
        }
    }

    package var engineName: String { engine is EmulatorEngine ? "emulator" : "kernel" }

    private var hasIPv4: Bool { plan.families != .ipv6 && plan.nat64 == nil }
    private var hasIPv6: Bool { plan.families != .ipv4 }
    /// Behind NAT64 the origin is IPv4-only, which is what the translator is for.
    private var originHasIPv6: Bool { hasIPv6 && plan.nat64 == nil }

    /// The addresses that the origin listens on, and the name server answers with.
    package var originAddresses: [IPAddress] {
        ((hasIPv4 || plan.nat64 != nil) ? [address(Addressing.origin4)] : [])
            + (originHasIPv6 ? [address(Addressing.origin6)] : [])
    }

    /// Every address that the name server answers on: each network hands out its own.
    package var allNameServerAddresses: [IPAddress] { InterfaceKind.allCases.flatMap(nameServers) }

    /// The name servers as a network manager would write them for the client now: those of the interface that its packets leave by,
    /// and without any route those of the interface that would be preferred.
    package var nameServerAddresses: [IPAddress] { nameServerAddresses(after: nil) }

    /// As they will be when this change is in force. A program that hears of a new route asks at once, so its name servers are
    /// written before the change is made.
    package func nameServerAddresses(after change: NetworkChange?) -> [IPAddress] {
        var hasRoute = links.mapValues(\.ends.hasDefaultRoute)
        switch change {
        case .interfaceState(let kind, let state): hasRoute[kind] = InterfaceEnds.hasDefaultRoute(state, hasIPv4: hasIPv4, hasIPv6: hasIPv6)
        case .link(let kind, _): hasRoute[kind] = hasRoute[kind] ?? true
        case .name, .proxy, .renumber, .marks, .connections, .flaps, nil: break
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

    private func prepareInternet() throws(HarnessError) {
        do throws(NetlinkError) {
            let loopback = try internetLink.link(named: "lo").index
            for address in originAddresses + allNameServerAddresses {
                try internetLink.addAddress(AddressPrefix(host: address), to: loopback)
            }
            for setting in ["all", "default"] {
                do throws(SystemCallError) {
                    // Two interfaces of one client answer each on its own link, whatever the route back says.
                    try internet.setSysctl("net/ipv4/conf/\(setting)/rp_filter", "0")
                    try client.setSysctl("net/ipv4/conf/\(setting)/rp_filter", "0")
                } catch {
                    throw .system(error)
                }
            }
        } catch {
            throw .lab("\(error)")
        }
    }

    private func makeLink(_ interface: InterfacePlan) throws(HarnessError) {
        let kind = interface.kind
        try engine.makeLink(kind, client: client, internet: internet, LinkState(interface.link, in: interface.state))
        do throws(NetlinkError) {
            do throws(SystemCallError) {
                // Only the addresses of the plan: no address that the kernel makes up, and no family that was not asked for.
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
            if !interface.marks.words.isEmpty { try mark(kind, interface.marks) }
        } catch {
            throw .lab("\(error)")
        }
        try enter(interface.state, kind)
    }

    // MARK: - Changing

    /// Makes one change real; returns when it is in force, records what was asked, and measures what was got meanwhile.
    package func apply(_ change: NetworkChange) throws(HarnessError) {
        try put(change)
        switch change {
        case .interfaceState(let kind, _), .link(let kind, _): try measureBeside(kind)
        case .name, .proxy, .renumber, .marks, .connections, .flaps: break
        }
    }

    private func put(_ change: NetworkChange) throws(HarnessError) {
        switch change {
        case .interfaceState(let kind, let state):
            guard let link = links[kind] else { return try makeLink(InterfacePlan(kind: kind, link: .perfect, state: state)) }
            // Only a black hole is the engine's affair; telling it anything else again would start its condition anew.
            if (state == .blackhole) != (link.ends.state == .blackhole) { try engine.change(kind, LinkState(link.plan, in: state)) }
            try enter(state, kind)
        case .link(let kind, let plan):
            guard let link = links[kind] else { return try makeLink(InterfacePlan(kind: kind, link: plan)) }
            links[kind]?.plan = plan
            try engine.change(kind, LinkState(plan, in: link.ends.state))
            tellAsked(kind)
        case .name, .proxy: break  // The servers' business.
        case .renumber(let kind):
            let fact = try changing(kind) { ends throws(NetlinkError) in
                try ends.renumber()
                let words = (hasIPv4 ? [ends.near4] : []) + (hasIPv6 ? [ends.near6] : [])
                return "renumbered to " + words.map(\.description).joined(separator: " ")
            }
            observer(.fact(.interfaceChanged(kind, fact)))
        case .marks(let kind, let marks):
            _ = try existing(kind)
            do throws(NetlinkError) { try mark(kind, marks) } catch { throw .lab("\(error)") }
        case .connections(let cut):
            _ = try existing(cut.interface)
            try engine.cut(cut)
            observer(.fact(.interfaceChanged(cut.interface, cut.summary)))
        case .flaps(let kind, _):
            throw .lab("the flapping of \(kind.rawValue) is played step by step; apply its steps, not the whole")
        }
    }

    private func existing(_ kind: InterfaceKind) throws(HarnessError) -> LabLink {
        guard let link = links[kind] else { throw .lab("there is no \(kind.rawValue) interface to change") }
        return link
    }

    private func changing<Value>(
        _ kind: InterfaceKind, _ body: (inout InterfaceEnds) throws(NetlinkError) -> Value
    ) throws(HarnessError) -> Value {
        var link = try existing(kind)
        // What was done up to a failure is kept: the ends are where they are.
        defer { links[kind] = link }
        do throws(NetlinkError) { return try body(&link.ends) } catch { throw .lab("\(error)") }
    }

    /// Brings the client's end into this state: addresses and routes as a network manager would leave them.
    private func enter(_ state: InterfaceState, _ kind: InterfaceKind) throws(HarnessError) {
        try changing(kind) { ends throws(NetlinkError) in try ends.enter(state) }
        observer(.fact(.interfaceState(kind, state)))
        if state != .down { tellAsked(kind) }
    }

    private func mark(_ kind: InterfaceKind, _ marks: InterfaceMarks) throws(NetlinkError) {
        try links[kind]?.ends.mark(marks)
        observer(.fact(.interfaceChanged(kind, marks.words.isEmpty ? "no marks" : "marked \(marks.words)")))
    }

    private func tellAsked(_ kind: InterfaceKind) {
        guard let found = links[kind] else { return }
        let link = LinkState(found.plan, in: found.ends.state)
        for direction in LinkDirectionName.allCases {
            let words = link.swallowsEverything ? "black hole" : "\(link.plan.name): \(link.condition(direction).summary)"
            observer(.fact(.conditionAsked(kind, direction, words)))
        }
    }

    // MARK: - Measuring

    /// Probes every interface that is up, in both directions at once, and records what was got. What passes from here on counts
    /// as the client's.
    package func probe() throws(HarnessError) {
        for kind in InterfaceKind.allCases { try measuring(of: kind)?.run() }
        if let kernel = engine as? KernelEngine { try kernel.startCounting() }
    }

    /// nil for an interface that carries nothing.
    private func measuring(of kind: InterfaceKind) -> LinkMeasuring? {
        guard let found = links[kind], found.ends.hasAddress else { return nil }
        let ends = found.ends
        return LinkMeasuring(
            kind: kind, link: ends.state == .blackhole ? nil : found.plan, client: client, internet: internet,
            near: hasIPv4 ? ends.near4 : ends.near6, far: hasIPv4 ? ends.far4 : ends.far6, burst: engine.burst, observer: observer)
    }

    /// Measures a changed link while the run goes on; the few small packets are neither counted nor drawn for as traffic.
    private func measureBeside(_ kind: InterfaceKind) throws(HarnessError) {
        guard var measuring = measuring(of: kind) else { return }
        if let probes = (engine as? KernelEngine)?.probes { measuring.observer = probes.counting(before: observer) }
        let (found, observer) = (measuring, observer)
        // Somebody who changes it without end must not fill the process with threads.
        if measurements.count >= 16 { measurements.removeAll() }
        do throws(SystemCallError) {
            measurements.append(
                try DedicatedThread(name: "cw-measure") {
                    do throws(HarnessError) { try found.run() } catch {
                        // The next change came before the measurement was over.
                        observer(.fact(.conditionMeasured(kind, .up, .init(means: .probe, packets: 0, lost: 0, text: "\(error)"))))
                    }
                })
        } catch {
            throw .lab("\(error)")
        }
    }

    /// What a packet mark triggered has been applied; the network, which stood still since, goes on. Once for each mark.
    package func goOn() { engine.goOn() }

    /// Records what the traffic met, and how many packets each interface carried.
    package func report() {
        measurements.removeAll()  // Waits for each.
        for kind in InterfaceKind.allCases where links[kind] != nil { engine.measure(kind) }
        engine.count()
    }

    /// What every link has carried so far, for whoever watches; nothing is disturbed by it.
    package func traffic() -> [LinkTraffic] { engine.traffic() }

    package func stop() {
        measurements.removeAll()
        engine.stop()
        translator?.stop()
        clientTranslator?.stop()
    }
}

/// One interface of the lab: what it should do to packets, and where its ends stand.
private struct LabLink {
    var plan: LinkPlan
    var ends: InterfaceEnds
}

extension LinkState {
    fileprivate init(_ plan: LinkPlan, in state: InterfaceState) {
        self.init(plan: plan, swallowsEverything: state == .blackhole)
    }
}
