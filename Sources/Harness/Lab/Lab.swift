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
    private let plan: NetworkPlan
    private let observer: LinkObserver
    private var links: [InterfaceKind: (link: LinkPlan, state: InterfaceState)] = [:]
    /// Measurements of changed links that are still under way.
    private var measurements: [DedicatedThread] = []

    package init(
        _ plan: NetworkPlan, engine choice: EngineChoice, seed: UInt64, capture: Capture?, marks: [PacketMark],
        observer: @escaping LinkObserver
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
            choice, plan: plan, seed: seed, capture: capture, marks: marks, client: client, internet: internet,
            observer: observer)
        if let nat64 = plan.nat64 {
            translator = try TranslatorNode(nat64, in: internet, observer: observer)
        } else {
            translator = nil
        }
        try prepareInternet()
        for interface in plan.interfaces {
            links[interface.kind] = (interface.link, interface.state)
            try makeLink(interface.kind)
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

    /// The name server as the client reaches it.
    package var nameServerAddresses: [IPAddress] {
        (hasIPv4 ? [address(Addressing.names4)] : []) + (hasIPv6 ? [address(Addressing.names6)] : [])
    }

    private func address(_ text: String) -> IPAddress {
        guard let address = IPAddress(text) else { preconditionFailure("\(text) stands in the address plan") }
        return address
    }

    private func prefix(_ text: String, _ length: Int) -> AddressPrefix {
        guard let prefix = AddressPrefix(address(text), length: length) else { preconditionFailure("a fixed length") }
        return prefix
    }

    // MARK: - Building

    private func prepareInternet() throws(HarnessError) {
        do throws(NetlinkError) {
            let loopback = try internetLink.link(named: "lo").index
            for address in originAddresses + nameServerAddresses {
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

    private func makeLink(_ kind: InterfaceKind) throws(HarnessError) {
        try engine.makeLink(kind, client: client, internet: internet, linkState(kind))
        do throws(NetlinkError) {
            let near = try clientLink.link(named: kind.linuxName)
            let far = try internetLink.link(named: kind.networkName)
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
            try clientLink.change(near.index, LinkChange(makesNoIPv6Addresses: true))
            try internetLink.change(far.index, LinkChange(isUp: true, makesNoIPv6Addresses: true))
            // Both ends up before the addresses: IPv6 would otherwise lose its first second (the first packet waits for the neighbour).
            try clientLink.setUp(near.index)
            let plan = Addressing.interface(kind)
            if hasIPv4 { try internetLink.addAddress(prefix(plan.network4, Addressing.prefixLength4(kind)), to: far.index) }
            if hasIPv6 { try internetLink.addAddress(prefix(plan.network6, Addressing.prefixLength6), to: far.index) }
            if engine.hasNeighbours { try introduce(kind, near: near, far: far) }
        } catch {
            throw .lab("\(error)")
        }
        try enter(links[kind]?.state ?? .up, kind)
    }

    /// Permanent neighbours, so that no address resolution crosses the link under its condition.
    private func introduce(_ kind: InterfaceKind, near: Link, far: Link) throws(NetlinkError) {
        let plan = Addressing.interface(kind)
        if hasIPv4 {
            try internetLink.setPermanentNeighbour(
                address(plan.client4), hardwareAddress: near.hardwareAddress, on: far.index)
        }
        if hasIPv6 {
            try internetLink.setPermanentNeighbour(
                address(plan.client6), hardwareAddress: near.hardwareAddress, on: far.index)
        }
    }

    private func linkState(_ kind: InterfaceKind) -> LinkState {
        let (link, state) = links[kind] ?? (.perfect, .up)
        return LinkState(plan: link, swallowsEverything: state == .blackhole)
    }

    // MARK: - Changing

    /// Makes one change real; returns when it is in force, records what was asked, and measures what was got meanwhile.
    package func apply(_ change: NetworkChange) throws(HarnessError) {
        try put(change)
        switch change {
        case .interfaceState(let kind, _), .link(let kind, _): try measureBeside(kind)
        case .name, .renumber, .marks, .connections: break
        }
    }

    private func put(_ change: NetworkChange) throws(HarnessError) {
        switch change {
        case .interfaceState(let kind, let state):
            let isNew = links[kind] == nil
            links[kind, default: (.perfect, .up)].state = state
            if isNew {
                try makeLink(kind)
            } else {
                try engine.change(kind, linkState(kind))
                try enter(state, kind)
            }
        case .link(let kind, let link):
            let isNew = links[kind] == nil
            links[kind, default: (link, .up)].link = link
            if isNew {
                try makeLink(kind)
            } else {
                try engine.change(kind, linkState(kind))
                tellAsked(kind)
            }
        case .name: break  // The name server's business.
        case .renumber, .marks, .connections: throw .lab("the lab cannot do this yet")
        }
    }

    /// Brings the client's end into this state: addresses and routes as a network manager would leave them.
    private func enter(_ state: InterfaceState, _ kind: InterfaceKind) throws(HarnessError) {
        do throws(NetlinkError) {
            let near = try clientLink.link(named: kind.linuxName)
            switch state {
            case .down:
                // The kernel takes the routes and the IPv6 addresses with it; the IPv4 address goes too, as a lease would.
                try clientLink.flushAddresses(of: near.index)
                try clientLink.setDown(near.index)
            case .up, .blackhole:
                try raise(near, kind, withRoute: true)
                try waitUntilReady(kind)
            case .noRoute, .noIPv4Route, .noIPv6Route, .noAddress, .noCarrier:
                try raise(near, kind, withRoute: false)
                try waitUntilReady(kind)
            }
        } catch {
            throw .lab("\(error)")
        }
        observer(.fact(.interfaceState(kind, state)))
        if state != .down { tellAsked(kind) }
    }

    private func raise(_ near: Link, _ kind: InterfaceKind, withRoute: Bool) throws(NetlinkError) {
        if !near.isUp { try clientLink.setUp(near.index) }
        try clientLink.flushAddresses(of: near.index)
        let plan = Addressing.interface(kind)
        let far = engine.hasNeighbours ? try internetLink.link(named: kind.networkName).hardwareAddress : []
        if hasIPv4 {
            try clientLink.addAddress(prefix(plan.client4, Addressing.prefixLength4(kind)), to: near.index)
            try route(near.index, kind, through: address(plan.network4), to: .allV4, far, withRoute)
        }
        if hasIPv6 {
            try clientLink.addAddress(prefix(plan.client6, Addressing.prefixLength6), to: near.index)
            try route(near.index, kind, through: address(plan.network6), to: .allV6, far, withRoute)
        }
    }

    /// The kernel goes on after its calls have returned: an end keeps dropping packets, and an IPv6 address has no local route.
    private func waitUntilReady(_ kind: InterfaceKind) throws(NetlinkError) {
        let deadline = MonotonicClock.deadline(after: 2_000_000_000)
        guard try clientLink.waitUntilReady(try clientLink.link(named: kind.linuxName).index, until: deadline),
            try internetLink.waitUntilReady(try internetLink.link(named: kind.networkName).index, until: deadline)
        else { throw .unsupported("\(kind.linuxName) is not ready after 2 s; the machine may be overloaded") }
    }

    private func route(
        _ index: CInt, _ kind: InterfaceKind, through gateway: IPAddress, to destination: AddressPrefix,
        _ hardwareAddress: [UInt8], _ isWanted: Bool
    ) throws(NetlinkError) {
        if engine.hasNeighbours {
            try clientLink.setPermanentNeighbour(gateway, hardwareAddress: hardwareAddress, on: index)
        }
        guard isWanted else { return }
        try clientLink.replaceRoute(
            LinuxNet.Route(
                to: destination, .gateway(gateway, interface: index, onLink: true), metric: kind.routeMetric))
    }

    private func tellAsked(_ kind: InterfaceKind) {
        let link = linkState(kind)
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
        guard let (link, state) = links[kind], state != .down else { return nil }
        let plan = Addressing.interface(kind)
        return LinkMeasuring(
            kind: kind, link: state == .blackhole ? nil : link, client: client, internet: internet,
            near: address(hasIPv4 ? plan.client4 : plan.client6), far: address(hasIPv4 ? plan.network4 : plan.network6),
            burst: engine.burst, observer: observer)
    }

    /// Measures a changed link while the run goes on; the few small packets are neither counted nor drawn for as traffic.
    private func measureBeside(_ kind: InterfaceKind) throws(HarnessError) {
        guard var measuring = measuring(of: kind) else { return }
        if let probes = (engine as? KernelEngine)?.probes { measuring.observer = probes.counting(before: observer) }
        let (found, observer) = (measuring, observer)
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

    /// Records what the traffic met, and how many packets each interface carried.
    package func report() {
        measurements.removeAll()  // Waits for each.
        for kind in InterfaceKind.allCases where links[kind] != nil { engine.measure(kind) }
        engine.count()
    }

    package func stop() {
        measurements.removeAll()
        engine.stop()
        translator?.stop()
    }
}
