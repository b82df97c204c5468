package import LinuxNet

/// A prefix with which a translator (NAT64) makes IPv4 addresses reachable over IPv6 (RFC 6052).
package struct TranslationPrefix: Hashable, Sendable {
    /// A prefix of 32, 40, 48, 56, 64 or 96 bits.
    package let prefix: AddressPrefix

    package static let lengths = [96, 64, 56, 48, 40, 32]

    package init?(_ prefix: AddressPrefix) {
        guard prefix.address.isV6, TranslationPrefix.lengths.contains(prefix.length) else { return nil }
        self.prefix = prefix.network
    }

    /// Returns the IPv6 address that represents an IPv4 address (RFC 6052 §2.2), in which bits 64 to 71 are always
    /// zero. nil for an IPv6 address.
    package func synthesize(_ address: IPAddress) -> IPAddress? {
        guard !address.isV6 else { return nil }
        var bytes = prefix.address.bytes
        for (place, byte) in zip(TranslationPrefix.places(prefix.length), address.bytes) { bytes[place] = byte }
        return IPAddress(bytes: bytes)
    }

    /// Returns the positions of the four bytes of the IPv4 address.
    private static func places(_ length: Int) -> [Int] {
        let start = length / 8
        return Array((start..<16).filter { $0 != 8 }.prefix(4))
    }

    /// The name whose IPv4 addresses are well known (RFC 7050 §2.2).
    package static let wellKnownName = "ipv4only.arpa"
    private static let wellKnownAddresses: [[UInt8]] = [[192, 0, 0, 170], [192, 0, 0, 171]]

    /// Returns the prefixes that these AAAA replies for `wellKnownName` contain, each once, in order (RFC 7050 §3).
    package static func discover(in answers: [IPAddress]) -> [TranslationPrefix] {
        var found: [TranslationPrefix] = []
        for result in answers where result.isV6 {
            let bytes = result.bytes
            // One reply may contain the address at several positions by chance: it counts only if there is exactly one.
            let matches = lengths.filter { length in
                wellKnownAddresses.contains(places(length).map { bytes[$0] }) && bytes[8] == 0
            }
            guard matches.count == 1, let length = matches.first, let prefix = AddressPrefix(result, length: length),
                let made = TranslationPrefix(prefix), !found.contains(made)
            else { continue }
            found.append(made)
        }
        return found
    }
}
