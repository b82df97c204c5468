/// The proxy for the requests of a session.
package struct ProxyAddress: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        /// Absolute-form requests, and CONNECT for https (RFC 9110 §9.3.6, RFC 9112 §3.2.2).
        case http
        /// The same as `http`, inside TLS.
        case https
        /// RFC 1928.
        case socks5
    }
    package enum Scheme: String, CaseIterable, Hashable, Sendable { case http, https }
    package var kind: Kind
    package var host: String
    package var port: Int
    /// Credentials that are part of the configuration; nil leaves them to a challenge.
    package var user: String?
    package var password: String?
    /// The scheme of the URLs that it applies to; nil: http and https.
    package var scheme: Scheme?
    /// Hosts that the session connects to without the proxy, as in `kCFNetworkProxiesExceptionsList`.
    package var exceptions: [String] = []
    package init(kind: Kind, host: String, port: Int, user: String? = nil, password: String? = nil) {
        self.kind = kind
        self.host = host
        self.port = port
        self.user = user
        self.password = password
    }
}
