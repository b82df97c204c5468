package import InternetAddresses
import LabKernel
package import NetworkMonitor
package import Record
package import ScenarioLanguage

/// Both ends of an interface as its network and the client's network manager configure them: cable, addresses, routes,
/// alias.
///
/// A change modifies only what differs: routes before addresses before the link when removing, the reverse when adding,
/// so that a monitor in the client namespace sees each event once and in the order of a real network manager.
package struct InterfaceEnds {
    package let kind: InterfaceKind
    package let client: NetlinkSocket
    package let internet: NetlinkSocket
    package private(set) var hasIPv4: Bool
    package let hasIPv6: Bool
    package let cable: LinkCable
    /// The metric of its default routes.
    package let metric: UInt32
    package private(set) var state = InterfaceState.down
    /// The number of renumberings.
    package private(set) var lease = 0
    private var isPluggedIn = true
    private let near: CInt
    private let far: CInt

    /// Both ends must exist and be down.
    package init(
        _ kind: InterfaceKind, client: NetlinkSocket, internet: NetlinkSocket, hasIPv4: Bool, hasIPv6: Bool,
        cable: LinkCable,
        metric: UInt32
    ) throws(NetlinkError) {
        self.kind = kind
        self.client = client
        self.internet = internet
        self.hasIPv4 = hasIPv4
        self.hasIPv6 = hasIPv6
        self.cable = cable
        self.metric = metric
        near = try client.link(named: kind.linuxName).index
        far = try internet.link(named: kind.networkName).index
        // Only the addresses of the plan, without those that the kernel generates.
        try client.change(near, LinkChange(makesNoIPv6Addresses: true))
        try internet.change(far, LinkChange(isUp: true, makesNoIPv6Addresses: true))
    }

    // MARK: - Changing

    /// Enters a state. Returns when the client can use the addresses and routes of that state.
    package mutating func enter(_ needed: InterfaceState) throws(NetlinkError) {
        let capabilities = InterfaceCapabilities(needed, hasIPv4: hasIPv4, hasIPv6: hasIPv6)
        if !capabilities.carrier { try disconnectCable() }
        try revoke(capabilities)
        state = needed
        guard capabilities.up else {
            if try client.link(near).isUp { try client.setDown(near) }
            return
        }
        if capabilities.carrier { try connectCable() }
        // Both ends are set up before the addresses are added: otherwise IPv6 would lose its first second (the first
        // packet waits for neighbour discovery).
        if try !client.link(near).isUp {
            try client.setUp(near)
            if capabilities.carrier { try client.waitUntilRunning(near, true) }
        }
        guard capabilities.carrier else { return }
        try configureNetworkSide()
        try waitUntilReady(internet, far)
        try grant(capabilities)
        try waitUntilReady(client, near)
    }

    private func waitUntilReady(_ end: NetlinkSocket, _ index: CInt) throws(NetlinkError) {
        guard try end.waitUntilReady(index, until: MonotonicClock.deadline(after: 5_000_000_000)) else {
            throw .unsupported("\(kind.linuxName) is not ready after 5 s; the machine may be overloaded")
        }
    }

    /// Replaces the addresses by the next ones of the network's pool.
    package mutating func renumber() throws(NetlinkError) {
        let old = Addressing.interface(kind, lease: lease)
        lease += 1
        try enter(state)
        guard cable == .farEnd else { return }
        for text in (hasIPv4 ? [old.client4] : []) + (hasIPv6 ? [old.client6] : []) {
            // The neighbour does not exist if the interface had no address under that lease.
            do throws(NetlinkError) { try internet.removeNeighbour(Self.address(text), on: far) } catch {
                guard case .refused(_, _, _) = error else { throw error }
            }
        }
    }

    /// Adds or removes IPv4, and keeps the state.
    package mutating func setIPv4(_ isPresent: Bool) throws(NetlinkError) {
        hasIPv4 = isPresent
        try enter(state)
    }

    package func applyCost(_ cost: InterfaceCost) throws(NetlinkError) {
        let alias = cost.alias(of: kind)
        guard try client.link(near).alias != alias else { return }
        try client.change(near, LinkChange(alias: alias))
    }

    // MARK: - State

    package var near4: IPAddress { Self.address(Addressing.interface(kind, lease: lease).client4) }
    package var near6: IPAddress { Self.address(Addressing.interface(kind, lease: lease).client6) }
    package var far4: IPAddress { Self.address(Addressing.interface(kind).network4) }
    package var far6: IPAddress { Self.address(Addressing.interface(kind).network6) }
    package var hasAddress: Bool { InterfaceCapabilities(state, hasIPv4: hasIPv4, hasIPv6: hasIPv6).address }
    package var hasDefaultRoute: Bool { Self.hasDefaultRoute(state, hasIPv4: hasIPv4, hasIPv6: hasIPv6) }

    package static func hasDefaultRoute(_ state: InterfaceState, hasIPv4: Bool, hasIPv6: Bool) -> Bool {
        let capabilities = InterfaceCapabilities(state, hasIPv4: hasIPv4, hasIPv6: hasIPv6)
        return capabilities.route4 || capabilities.route6
    }

    package static func address(_ text: String) -> IPAddress {
        guard let address = IPAddress(text) else { preconditionFailure("\(text) is in the address plan") }
        return address
    }

    private func prefix(_ address: IPAddress) -> AddressPrefix {
        let length = address.isV6 ? Addressing.prefixLength6 : Addressing.prefixLength4(kind)
        guard let prefix = AddressPrefix(address, length: length) else { preconditionFailure("a fixed length") }
        return prefix
    }

    private var defaultRoute4: NetworkMonitor.Route {
        NetworkMonitor.Route(to: .allV4, .gateway(far4, interface: near, onLink: true), metric: metric)
    }

    private var defaultRoute6: NetworkMonitor.Route {
        NetworkMonitor.Route(to: .allV6, .gateway(far6, interface: near, onLink: true), metric: metric)
    }

    private func isPresent(_ route: NetworkMonitor.Route) throws(NetlinkError) -> Bool {
        try client.routes().contains { other in
            guard case .gateway(_, near, onLink: _) = other.target else { return false }
            return other.destination == route.destination && other.metric == route.metric
        }
    }

    // MARK: - Steps

    /// Removes default routes first, because the kernel does not report an IPv4 route that is removed with the last
    /// address.
    private func revoke(_ capabilities: InterfaceCapabilities) throws(NetlinkError) {
        let stays = Set(
            (capabilities.address && hasIPv4 ? [near4] : []) + (capabilities.address && hasIPv6 ? [near6] : []))
        let leaving = try client.addresses(of: near).map(\.prefix).filter { !stays.contains($0.address) }
        for (route, isWanted) in [(defaultRoute4, capabilities.route4), (defaultRoute6, capabilities.route6)] {
            let isV6 = route.destination.address.isV6
            guard !isWanted || leaving.contains(where: { $0.address.isV6 == isV6 }), try isPresent(route) else {
                continue
            }
            try client.deleteRoute(route)
        }
        for prefix in leaving { try client.removeAddress(prefix, from: near) }
    }

    private func grant(_ capabilities: InterfaceCapabilities) throws(NetlinkError) {
        let present = Set(try client.addresses(of: near).map(\.prefix.address))
        let gateway = cable == .farEnd ? try internet.link(far).hardwareAddress : nil
        for (isPlanned, own, router, route, isWanted) in [
            (hasIPv4, near4, far4, defaultRoute4, capabilities.route4),
            (hasIPv6, near6, far6, defaultRoute6, capabilities.route6),
        ] where isPlanned && capabilities.address {
            if !present.contains(own) {
                try client.addAddress(prefix(own), to: near)
                // The kernel announces an IPv6 address some time after accepting it; the route must not be announced
                // before it.
                try waitUntilReady(client, near)
            }
            // Permanent neighbours, so that address resolution is not subject to the link's condition.
            if let gateway { try client.setPermanentNeighbour(router, hardwareAddress: gateway, on: near) }
            if isWanted, try !isPresent(route) { try client.addRoute(route) }
        }
    }

    /// Configures the network's router, which loses its IPv6 address whenever its end goes down.
    private func configureNetworkSide() throws(NetlinkError) {
        let present = Set(try internet.addresses(of: far).map(\.prefix.address))
        let client = cable == .farEnd ? try client.link(near).hardwareAddress : nil
        for (isPlanned, router, guest) in [(hasIPv4, far4, near4), (hasIPv6, far6, near6)] where isPlanned {
            if !present.contains(router) { try internet.addAddress(prefix(router), to: far) }
            if let client { try internet.setPermanentNeighbour(guest, hardwareAddress: client, on: far) }
        }
    }

    /// Unplugs the cable and waits until the kernel has notified its monitors, which takes up to a second.
    private mutating func disconnectCable() throws(NetlinkError) {
        guard isPluggedIn else { return }
        isPluggedIn = false
        switch cable {
        case .farEnd: try internet.setDown(far)
        case .device:
            try client.change(near, LinkChange(hasCarrier: false))
            try internet.change(far, LinkChange(hasCarrier: false))
        }
        try client.waitUntilRunning(near, false)
    }

    private mutating func connectCable() throws(NetlinkError) {
        guard !isPluggedIn else { return }
        isPluggedIn = true
        switch cable {
        case .farEnd: try internet.setUp(far)
        case .device:
            try internet.change(far, LinkChange(hasCarrier: true))
            try client.change(near, LinkChange(hasCarrier: true))
        }
        try client.waitUntilRunning(near, true)
    }
}

/// The configuration that a state gives the client.
private struct InterfaceCapabilities {
    var up = true
    var carrier = true
    var address = true
    var route4: Bool
    var route6: Bool

    init(_ state: InterfaceState, hasIPv4: Bool, hasIPv6: Bool) {
        route4 = hasIPv4
        route6 = hasIPv6
        switch state {
        case .up, .blackhole: break
        case .noRoute: withoutRoutes()
        case .noIPv4Route: route4 = false
        case .noIPv6Route: route6 = false
        case .noAddress:
            address = false
            withoutRoutes()
        case .noCarrier:
            // Network managers drop a lease when the cable is out; otherwise its routes would hide those of other
            // interfaces.
            carrier = false
            address = false
            withoutRoutes()
        case .down:
            // The cable keeps its state.
            up = false
            address = false
            withoutRoutes()
        }
    }

    private mutating func withoutRoutes() {
        route4 = false
        route6 = false
    }
}
