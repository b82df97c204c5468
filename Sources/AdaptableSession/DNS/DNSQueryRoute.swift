package import LinuxNet

/// By which way names are asked for.
package enum DNSQueryRoute: Hashable, Sendable {
    /// As this machine does it: by every source that nsswitch.conf names, and by the interfaces that the routes choose.
    case system
    /// By interfaces of this path only, which the system's own lookup cannot be told: the hosts file, then the name servers of
    /// resolv.conf. One on this machine is asked too; what it sends on by itself is the system's business.
    case interfaces(of: NetworkPath)

    /// Where some interface is forbidden, a question must no more leave by it than the request (CONF-12). One that is down counts
    /// too: a lookup lasts for seconds, in which it may come up.
    package init(_ path: NetworkPath, policy: ConnectPolicy) {
        self = path.needsBinding && policy.queriesByAllowedInterface ? .interfaces(of: path) : .system
    }

    /// Blocks the calling thread.
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
            // A name indeed.
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
    /// How a name server is asked without another interface than those of this path.
    package func route(to server: NameServerSettings.Server) -> NameServerLookup.Route {
        let address = server.address.address
        if address.isLoopback { return .loopback }
        if address.staysOnTheLink {
            let interface = interfaces.first { server.zone == 0 || $0.index == server.zone }
            return interface.map { .interface($0.name) } ?? .none
        }
        return route(to: address).map { .interface($0.name) } ?? .none
    }

    /// The best allowed interface that leads to the address; for the loopback any is right.
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
