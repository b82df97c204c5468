/// The host and port that a client connects to through a proxy.
package struct ProxyTarget: Hashable, Sendable {
    /// A name, or an address without brackets.
    package var host: String
    package var port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Parses `host:port` of CONNECT; the port is required (RFC 9110 §9.3.6).
    init?(authority: String) {
        guard let (host, port) = ProxyTarget.split(Substring(authority)), let port else { return nil }
        self.init(host: host, port: port)
    }

    /// Returns the authority and the rest of `http://host[:port]/path`; nil when it is not such a URL. A user and a fragment,
    /// which a client must not send (RFC 9110 §4.2.4, §7.1), make it a bad one.
    static func absolute(_ target: String) -> (target: ProxyTarget, path: String)? {
        guard target.prefix(7).equalsIgnoringCase("http://") else { return nil }
        let rest = target.dropFirst(7)
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let path = rest.dropFirst(authority.count)
        guard !authority.contains("@"), !path.contains("#"), let (host, port) = split(authority) else { return nil }
        return (ProxyTarget(host: host, port: port ?? 80), path.hasPrefix("/") ? String(path) : "/\(path)")
    }

    private static func split(_ text: Substring) -> (String, Int?)? {
        var host = text
        var port: Int?
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            host = text[text.index(after: text.startIndex)..<end]
            let rest = text[text.index(after: end)...]
            if !rest.isEmpty {
                guard rest.hasPrefix(":"), let number = ProxyTarget.port(rest.dropFirst()) else { return nil }
                port = number
            }
        } else if let colon = text.lastIndex(of: ":") {
            host = text[..<colon]
            guard !host.contains(":"), let number = ProxyTarget.port(text[text.index(after: colon)...]) else {
                return nil
            }
            port = number
        }
        return host.isEmpty ? nil : (String(host), port)
    }

    private static func port(_ text: Substring) -> Int? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(text), (1...65_535).contains(port)
        else {
            return nil
        }
        return port
    }

    /// The target in the form of a URL.
    var text: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
