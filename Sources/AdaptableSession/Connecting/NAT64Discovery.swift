package import InternetAddresses

/// Finds the prefixes with which a network's translators make IPv4 addresses reachable over IPv6 (RFC 7050).
package enum NAT64Discovery {
    /// The name whose IPv4 addresses are well known (RFC 7050 §2.2).
    package static let wellKnownName = "ipv4only.arpa"
    private static let wellKnownAddresses: [IPv4Address] = [0xC000_00AA, 0xC000_00AB]

    /// Returns the prefixes that these AAAA replies for `wellKnownName` contain, each once, in order (RFC 7050 §3).
    package static func prefixes(in answers: [IPAddress]) -> [NAT64Prefix] {
        var found: [NAT64Prefix] = []
        // Bits 64 to 71 of such an address are zero (RFC 6052 §2.2).
        for case .v6(let result) in answers where result.low >> 56 == 0 {
            // One reply may contain the address at several positions by chance: it counts only if there is exactly one.
            let matches = NAT64Prefix.lengths.compactMap { NAT64Prefix(of: result, length: $0) }
                .filter { prefix in prefix.extract(result).map(wellKnownAddresses.contains) == true }
            if matches.count == 1, !found.contains(matches[0]) { found.append(matches[0]) }
        }
        return found
    }
}
