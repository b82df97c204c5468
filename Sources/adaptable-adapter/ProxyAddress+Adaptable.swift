import AdapterProtocol

extension ProxyAddress {
    /// The proxy in the form of a session's `connectionProxyDictionary`.
    var adaptable: [AnyHashable: Any] {
        let authority = host.contains(":") ? "[\(host)]" : host
        switch kind {
        case .http, .https:
            let server = kind == .https ? "https://\(authority):\(port)" : host
            return ["HTTP", "HTTPS"].reduce(into: [:]) { $0.merge(entries($1, server)) { _, new in new } }
        case .socks5: return entries("SOCKS", host)
        }
    }

    private func entries(_ prefix: String, _ server: String) -> [AnyHashable: Any] {
        var entries: [AnyHashable: Any] = ["\(prefix)Enable": 1, "\(prefix)Proxy": server, "\(prefix)Port": port]
        if let user { entries["\(prefix)User"] = user }
        if let password { entries["\(prefix)Password"] = password }
        return entries
    }
}
