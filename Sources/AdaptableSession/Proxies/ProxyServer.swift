import Foundation

/// A proxy and how to speak to it.
package struct ProxyServer: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        /// Absolute-form requests, and CONNECT for https (RFC 9110 §9.3.6).
        case http
        /// As `http`, inside TLS.
        case https
        /// RFC 1928.
        case socks5
    }

    package var kind: Kind
    /// Lower case, without brackets.
    package var host: String
    /// As it was set; see `hasUsablePort`.
    package var port: Int
    package var user: String?
    package var password: String?

    package init(kind: Kind, host: String, port: Int, user: String? = nil, password: String? = nil) {
        self.kind = kind
        self.host = WebOrigin.canonical(host)
        self.port = port
        self.user = user
        self.password = password
    }

    /// False: nothing can be sent through it, and to send it past it would disregard the setting.
    package var hasUsablePort: Bool { port > 0 && PortNumber.all.contains(port) }

    var portFault: String { "The port of the proxy '\(host)' cannot be connected to: set one of 1 to 65535." }

    /// With brackets, if it is an IPv6 address.
    package var authorityHost: String { host.contains(":") ? "[\(host)]" : host }

    /// As the environment writes it: `http://user:password@proxy.example:3128`, or without a scheme, which then is http.
    package init?(_ text: String) {
        let text = HTTPFieldSyntax.trimmed(text)
        guard !text.isEmpty, let url = URL(string: text.contains("://") ? text : "http://\(text)"),
            let host = url.host(percentEncoded: false),
            !host.isEmpty
        else { return nil }
        let kind: Kind
        let usual: Int
        switch url.scheme.map({ HTTPFieldSyntax.lowercased($0) }) {
        case "http": (kind, usual) = (.http, 80)
        case "https": (kind, usual) = (.https, 443)
        case "socks", "socks5", "socks5h": (kind, usual) = (.socks5, 1080)
        default: return nil
        }
        self.init(
            kind: kind, host: host, port: PortNumber.of(url, usual: usual), user: url.user(percentEncoded: false),
            password: url.password(percentEncoded: false))
    }
}
