/// Whether a cookie's domain and path cover a request's (rfc6265bis §5.1.3, §5.1.4).
package enum CookieMatch {
    package static func domain(_ host: String, within domain: String) -> Bool {
        if host == domain { return true }
        return host.hasSuffix(".\(domain)") && !isAddress(host)
    }

    package static func path(_ path: String, under prefix: String) -> Bool {
        guard path.hasPrefix(prefix) else { return false }
        return path.utf8.count == prefix.utf8.count || prefix.hasSuffix("/")
            || path.dropFirst(prefix.count).hasPrefix("/")
    }

    /// IPv6, or four numbers.
    package static func isAddress(_ host: String) -> Bool {
        if host.contains(":") { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
    }
}
