package import InternetAddresses
package import NetworkMonitor

/// The interfaces of a machine at one moment.
package struct NetworkState: Hashable, Sendable {
    package var interfaces: [NetworkInterface]

    package init(_ interfaces: [NetworkInterface]) { self.interfaces = interfaces }

    /// Builds the state from the kernel's lists. `deviceType` is called for interfaces whose name does not show their
    /// kind (`InterfaceFacts.deviceType`).
    package init(
        links: [Link], addresses: [InterfaceAddress], routes: [Route],
        deviceType: (String) -> String?
    ) {
        var interfaces = links.map { link in
            let kind =
                InterfaceKind(name: link.name) ?? deviceType(link.name).flatMap { InterfaceKind(deviceType: $0) }
                ?? .other
            return NetworkInterface(
                index: link.index, name: link.name, kind: kind,
                traits: NetworkState.traits(kind, alias: link.alias),
                isRunning: link.isUp && link.hasCarrier && link.isRunning,
                addresses: addresses.filter {
                    $0.index == link.index && !$0.isTentative && !$0.prefix.address.isLinkLocal
                }
                .map(\.prefix.address),
                routes: routes.compactMap { NetworkState.route($0, link.index) })
        }
        NetworkState.followTranslation(&interfaces)
        self.init(interfaces.sorted { $0.index < $1.index })
    }

    private static func route(_ route: Route, _ index: CInt) -> NetworkInterface.Route? {
        switch route.target {
        case .interface(let interface) where interface == index: break
        case .gateway(_, let interface, onLink: _) where interface == index: break
        case .interface, .gateway, .blackhole, .unreachable, .prohibit: return nil
        }
        return NetworkInterface.Route(to: route.destination, metric: route.metric)
    }

    /// Returns the traits that the kind and the words `expensive` and `constrained` of the alias give an interface; a
    /// cellular one is expensive unless its alias is set.
    private static func traits(_ kind: InterfaceKind, alias: String) -> PathTraits {
        var traits: PathTraits = kind == .cellular ? .cellular : []
        let words = alias.split(separator: " ")
        if words.contains("expensive") || (kind == .cellular && words.isEmpty) {
            traits.insert(.expensive)
        }
        if words.contains("constrained") { traits.insert(.constrained) }
        return traits
    }

    /// Gives the interface of a 464XLAT client (RFC 6877) the kind and traits of the interface with the IPv6 default
    /// route, through which its packets leave.
    private static func followTranslation(_ interfaces: inout [NetworkInterface]) {
        let uplink = interfaces.filter { !$0.isTranslator && $0.isRunning }
            .min { ($0.defaultMetric(v6: true) ?? .max) < ($1.defaultMetric(v6: true) ?? .max) }
        guard let uplink, uplink.defaultMetric(v6: true) != nil else { return }
        for index in interfaces.indices where interfaces[index].isTranslator {
            interfaces[index].kind = uplink.kind
            interfaces[index].traits.formUnion(uplink.traits)
        }
    }

    /// Returns the interface that a connection with this local address uses.
    package func interface(withAddress address: IPAddress) -> NetworkInterface? {
        interfaces.first { $0.addresses.contains(address) }
    }

    package func interface(named name: String) -> NetworkInterface? { interfaces.first { $0.name == name } }
}

extension NetworkInterface {
    /// True if the interface has an address that is reserved for 464XLAT (RFC 7335), or a name that phones use for it.
    fileprivate var isTranslator: Bool {
        name.hasPrefix("v4-") || name.hasPrefix("clat")
            || addresses.contains { address in
                guard case .v4(let four) = address else { return false }
                return four.value & 0xFFFF_FFF8 == 0xC000_0000
            }
    }
}
