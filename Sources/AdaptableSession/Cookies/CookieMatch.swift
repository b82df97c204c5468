/// Matches a cookie's domain and path with those of a request (rfc6265bis §5.1.3, §5.1.4).
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

    /// Returns true for an IPv6 address and for four numbers of an IPv4 address.
    package static func isAddress(_ host: String) -> Bool {
        if host.utf8.contains(UInt8(ascii: ":")) { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
    }
}
