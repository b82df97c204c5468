/// The proxies for each scheme and the hosts reached without one: a session's `connectionProxyDictionary`, or the
/// system's settings.
package struct ProxyConfiguration: Hashable, Sendable {
    package var http: ProxyServer?
    package var https: ProxyServer?
    package var socks: ProxyServer?
    /// Hosts that are reached directly: names, `*.suffix`, `.suffix`, IP addresses, address prefixes, or `*` for all
    /// hosts.
    package var exceptions: [String] = []

    package init(
        http: ProxyServer? = nil, https: ProxyServer? = nil, socks: ProxyServer? = nil, exceptions: [String] = []
    ) {
        self.http = http
        self.https = https
        self.socks = socks
        self.exceptions = exceptions
    }

    package var isEmpty: Bool { http == nil && https == nil && socks == nil }

    /// Reads the keys of `connectionProxyDictionary`: `HTTPEnable`, `HTTPProxy`, `HTTPPort`, the same with `HTTPS` and
    /// `SOCKS`, `SOCKSUser`, `SOCKSPassword` (or the names of the stream properties), and `ExceptionsList`. A value of
    /// another type counts as missing. The `HTTPS…` keys name a proxy for https requests; the connection to that proxy
    /// is plain text, as in the system's settings, unless the host is given as a URL with another scheme.
    package init(dictionary: [AnyHashable: Any]) {
        func number(_ key: String) -> Int? {
            switch dictionary[key] {
            case let number as Int: number
            case let flag as Bool: flag ? 1 : 0
            // A number too large for Int is still a number; it later fails as an invalid port.
            case let text as String:
                Int(text) ?? (!text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? .max : nil)
            default: nil
            }
        }
        func text(_ key: String) -> String? { dictionary[key] as? String }
        func server(_ prefix: String, _ kind: ProxyServer.Kind, _ usual: Int) -> ProxyServer? {
            guard number("\(prefix)Enable") ?? 0 != 0, let host = text("\(prefix)Proxy"), !host.isEmpty else {
                return nil
            }
            var made = host.contains("://") ? ProxyServer(host) : ProxyServer(kind: kind, host: host, port: usual)
            // 0 means that the port is not set.
            if let port = number("\(prefix)Port"), port != 0 { made?.port = port }
            if let user = text("\(prefix)User") ?? text("kCFStreamProperty\(prefix)User") { made?.user = user }
            if let password = text("\(prefix)Password") ?? text("kCFStreamProperty\(prefix)Password") {
                made?.password = password
            }
            return made
        }
        self.init(
            http: server("HTTP", .http, 80), https: server("HTTPS", .http, 80), socks: server("SOCKS", .socks5, 1080),
            exceptions: dictionary["ExceptionsList"] as? [String] ?? [])
    }

    /// The settings in the format that `init(dictionary:)` reads.
    package var dictionary: [AnyHashable: Any] {
        var result: [AnyHashable: Any] = [:]
        func put(_ prefix: String, _ server: ProxyServer?, _ usual: ProxyServer.Kind) {
            guard let server else { return }
            result["\(prefix)Enable"] = 1
            result["\(prefix)Proxy"] =
                server.kind == usual ? server.host : "\(server.kind.rawValue)://\(server.authorityHost):\(server.port)"
            result["\(prefix)Port"] = server.port
            if let user = server.user { result["\(prefix)User"] = user }
            if let password = server.password { result["\(prefix)Password"] = password }
        }
        put("HTTP", http, .http)
        put("HTTPS", https, .http)
        put("SOCKS", socks, .socks5)
        if !exceptions.isEmpty { result["ExceptionsList"] = exceptions }
        return result
    }

    /// Reads the environment variables that curl and most programs use. `HTTP_PROXY` in capitals is not read: the
    /// client of a CGI program can set it (httpoxy).
    package init(environment: [String: String]) {
        func server(_ names: String...) -> ProxyServer? {
            for name in names { if let text = environment[name], let server = ProxyServer(text) { return server } }
            return nil
        }
        let all = server("all_proxy", "ALL_PROXY")
        let list = environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""
        self.init(
            http: server("http_proxy") ?? all, https: server("https_proxy", "HTTPS_PROXY") ?? all,
            exceptions: list.split { $0 == "," || $0 == " " }.map(String.init))
    }
}
