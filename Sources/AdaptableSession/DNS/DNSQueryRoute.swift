package import InternetAddresses
package import NetworkMonitor

/// The way in which DNS queries are sent.
///
/// c-ares would not replace this code (judged by its sources; MIT licence, 170 KB). `ares_set_local_dev` binds a whole
/// channel to one device and ignores an error of SO_BINDTODEVICE; here each name server has its own interface, one on this
/// machine has none, and a query that cannot be bound is not sent. c-ares sorts addresses (RFC 6724) with sockets that it
/// does not bind. It reads /etc/hosts and resolv.conf by itself and not as glibc does (`LOCALDOMAIN`, nsswitch.conf), so
/// the two routes below would differ, and the system's route would stay for everything else that nsswitch.conf names. A
/// channel for each interface, with an event loop of its own before 1.26, is as long as the 290 lines that it replaces.
package enum DNSQueryRoute: Hashable, Sendable {
    /// The system's resolver: every source that nsswitch.conf names, through the interfaces that the routes select.
    case system
    /// Only the interfaces of this path, to which the system's own resolver cannot be restricted: the hosts file first,
    /// then the name servers of resolv.conf. A name server on this machine is queried too; the queries that it forwards
    /// are outside the session's control.
    case interfaces(of: NetworkPath)

    /// Chooses the route: if an interface is forbidden, queries must not use it either (CONF-12). An interface that is
    /// down counts too, because a lookup can take seconds, in which it may come up.
    package init(_ path: NetworkPath, policy: ConnectPolicy) {
        self = path.needsBinding && policy.queriesByAllowedInterface ? .interfaces(of: path) : .system
    }

    /// Looks the name up and blocks the calling thread until the result is known.
    func addresses(of name: String, v6: Bool) throws(HostLookupError) -> [IPAddress] {
        switch self {
        case .system: return try HostLookup.addresses(of: name, v6: v6)
        case .interfaces(let path): return try DNSQueryRoute.addresses(of: name, v6: v6, path)
        }
    }

    private static func addresses(of name: String, v6: Bool, _ path: NetworkPath) throws(HostLookupError) -> [IPAddress]
    {
        do throws(HostLookupError) {
            return try HostLookup.addresses(of: name, v6: v6, isNumber: true)
        } catch .noSuchName {
            // Not an address literal, so look the name up.
        }
        let own = HostsFile.read().addresses(of: name).filter { $0.isV6 == v6 }
        guard own.isEmpty else { return own }
        let settings: NameServerSettings
        do throws(SystemCallError) { settings = try NameServerSettings.read() } catch {
            throw .failed(error.description)
        }
        return try NameServerLookup.addresses(of: name, v6: v6, settings: settings) { path.route(to: $0) }
    }
}

extension NetworkPath {
    /// Returns the route to a name server that uses only the interfaces of this path.
    package func route(to server: NameServerSettings.Server) -> NameServerLookup.Route {
        let address = server.address.address
        if address.isLoopback { return .loopback }
        if address.isLinkLocal {
            let interface = interfaces.first { server.zone == 0 || $0.index == server.zone }
            return interface.map { .interface($0.name) } ?? .none
        }
        return route(to: address).map { .interface($0.name) } ?? .none
    }

    /// Returns the best allowed interface that leads to the address; for a loopback address the loopback interface.
    package func route(to address: IPAddress) -> NetworkInterface? {
        if address.isLoopback {
            return NetworkInterface(index: 1, name: "lo", kind: .loopback, addresses: [address], routes: [])
        }
        return interfaces.filter { $0.metric(to: address) != nil }.min { one, other in
            guard let first = one.metric(to: address), let second = other.metric(to: address) else { return false }
            return (second.length, first.metric) < (first.length, second.metric)
        }
    }
}
