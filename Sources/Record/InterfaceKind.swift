package enum InterfaceKind: String, CaseIterable, Hashable, Sendable {
    case wifi, cellular, wired, vpn
    /// The Linux interface name, which contains the kind as drivers name it.
    package var linuxName: String {
        switch self {
        case .wifi: "wlan0"
        case .cellular: "wwan0"
        case .wired: "eth0"
        case .vpn: "tun0"
        }
    }
    /// The route metric: a tunnel before wired, wired before Wi-Fi, Wi-Fi before cellular, as network managers rank
    /// them.
    package var routeMetric: UInt32 {
        switch self {
        case .vpn: 50
        case .wired: 100
        case .wifi: 600
        case .cellular: 700
        }
    }
}

package enum InterfaceState: String, CaseIterable, Hashable, Sendable {
    case up
    /// Present, but administratively down.
    case down
    /// Up and addressed, but without a default route.
    case noRoute
    /// The IPv4 default route alone is missing.
    case noIPv4Route
    /// The IPv6 default route alone is missing: the router's lifetime ended (RFC 4861 §6.3.5).
    case noIPv6Route
    /// Up, but without an address: the lease ran out.
    case noAddress
    /// Administratively up, but the cable is unplugged.
    case noCarrier
    /// Up with routes, but every packet is silently dropped (black hole).
    case blackhole
}
