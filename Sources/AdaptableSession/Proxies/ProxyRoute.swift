import HTTPFields
import InternetAddresses

/// The route of one request to its origin.
///
/// Indirect: nearly all routes are direct, and each queued task holds several.
package indirect enum ProxyRoute: Hashable, Sendable {
    case direct
    /// The request itself goes to the proxy, in absolute form (RFC 9112 §3.2.2).
    case forward(ProxyServer)
    /// A tunnel to the origin: CONNECT or SOCKS.
    case tunnel(ProxyServer)

    package var server: ProxyServer? {
        switch self {
        case .direct: nil
        case .forward(let server), .tunnel(let server): server
        }
    }

    package var isForward: Bool { if case .forward = self { true } else { false } }
    package var tunnel: ProxyServer? { if case .tunnel(let server) = self { server } else { nil } }

    /// Returns the key of connections to this origin over this route. Forwarded requests to all origins share the
    /// connections to the proxy.
    package func key(host: String, port: Int, isSecure: Bool, partition: String = "") -> ConnectionKey {
        switch self {
        case .direct: ConnectionKey(host: host, port: port, isSecure: isSecure, partition: partition)
        case .forward(let server):
            ConnectionKey(
                host: server.host, port: server.port, isSecure: server.kind == .https, route: "forward \(server.text)",
                partition: partition)
        case .tunnel(let server):
            ConnectionKey(
                host: host, port: port, isSecure: isSecure, route: "tunnel \(server.text)", partition: partition)
        }
    }
}

extension ProxyServer {
    /// The proxy's address and credentials: connections with different credentials are not shared.
    fileprivate var text: String {
        "\(kind.rawValue)://\(user.map { "\($0):\(password ?? "")@" } ?? "")\(host):\(port)"
    }
}

extension ProxyConfiguration {
    /// Returns the route to a host. `own` is the session's proxy configuration, nil without one; `system` is the
    /// machine's.
    package static func route(
        host: String, isSecure: Bool, own: ProxyConfiguration?, system: @autoclosure () -> ProxyConfiguration,
        policy: ProxyPolicy = ProxyPolicy()
    ) -> ProxyRoute {
        let configuration: ProxyConfiguration
        if let own {
            // An empty dictionary disables proxies.
            guard policy.usesSessionProxies else { return .direct }
            configuration = own
        } else {
            guard policy.usesSystemProxies else { return .direct }
            configuration = system()
        }
        return configuration.route(host: host, isSecure: isSecure, policy: policy)
    }

    package func route(host: String, isSecure: Bool, policy: ProxyPolicy = ProxyPolicy()) -> ProxyRoute {
        let host = WebOrigin.canonical(host)
        if policy.bypassesLoopback,
            host == "localhost" || host.hasSuffix(".localhost") || IPAddress(host)?.isLoopback == true
        {
            return .direct
        }
        if exceptions.contains(where: { ProxyConfiguration.covers($0, host) }) {
            return .direct
        }
        guard let server = (isSecure ? https : http) ?? socks else { return .direct }
        switch server.kind {
        case .socks5: return .tunnel(server)
        case .http, .https: return isSecure && policy.tunnelsHTTPS ? .tunnel(server) : .forward(server)
        }
    }

    private static func covers(_ exception: String, _ host: String) -> Bool {
        var pattern = HTTPFieldSyntax.lowercased(HTTPFieldSyntax.trimmed(exception))
        if pattern == "*" { return true }
        if let address = IPAddress(host) {
            guard let prefix = AddressPrefix(WebOrigin.canonical(pattern)) else { return false }
            return prefix.covers(address)
        }
        if pattern.hasPrefix("*") { pattern.removeFirst() }
        if pattern.hasPrefix(".") { return host.hasSuffix(pattern) || host == pattern.dropFirst() }
        // As in curl, a name also covers its subdomains.
        return host == pattern || !pattern.isEmpty && host.hasSuffix(".\(pattern)")
    }
}

/// The rules for using proxies and for the information they receive.
package struct ProxyPolicy: Sendable, Equatable {
    /// Use the proxies of the session's configuration (PRXY-01).
    package var usesSessionProxies = true
    /// Use the system's proxies when the configuration sets none; on Linux these are the environment variables
    /// (PRXY-03).
    package var usesSystemProxies = true
    /// Reach loopback addresses directly: to a proxy on another machine they mean that machine.
    package var bypassesLoopback = true
    /// Send https requests through a tunnel, so that the proxy sees only the host and port.
    package var tunnelsHTTPS = true
}
