import Foundation
import HTTPFields

/// The address, protocol and credentials of a proxy.
package struct ProxyServer: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        /// Absolute-form requests, and CONNECT for https (RFC 9110 §9.3.6).
        case http
        /// Like `http`, over a TLS connection to the proxy.
        case https
        /// RFC 1928.
        case socks5
    }

    package var kind: Kind
    /// Lower case, without brackets.
    package var host: String
    /// The port as configured, which may be invalid; see `hasUsablePort`.
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

    /// True for ports 1 to 65535. With any other port requests fail: connecting directly would ignore the setting.
    package var hasUsablePort: Bool { port > 0 && PortNumber.all.contains(port) }

    var portFault: String { "The port of the proxy '\(host)' is not valid: set one from 1 to 65535." }

    /// The host, in brackets if it is an IPv6 address.
    package var authorityHost: String { host.contains(":") ? "[\(host)]" : host }

    /// Parses the format of the environment variables: `http://user:password@proxy.example:3128`; the default scheme is
    /// http.
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
