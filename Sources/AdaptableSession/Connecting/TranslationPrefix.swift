package import LinuxNet

/// A prefix by which a translator makes IPv4 addresses reachable over IPv6 (RFC 6052).
package struct TranslationPrefix: Hashable, Sendable {
    /// 32, 40, 48, 56, 64 or 96 bits.
    package let prefix: AddressPrefix

    package static let lengths = [96, 64, 56, 48, 40, 32]

    package init?(_ prefix: AddressPrefix) {
        guard prefix.address.isV6, TranslationPrefix.lengths.contains(prefix.length) else { return nil }
        self.prefix = prefix.network
    }

    /// The IPv6 address that stands for an IPv4 address (RFC 6052 §2.2); bits 64 to 71 are always zero. nil for an IPv6 address.
    package func synthesize(_ address: IPAddress) -> IPAddress? {
        guard !address.isV6 else { return nil }
        var bytes = prefix.address.bytes
        for (place, byte) in zip(TranslationPrefix.places(prefix.length), address.bytes) { bytes[place] = byte }
        return IPAddress(bytes: bytes)
    }

    /// Where the four bytes of the IPv4 address are.
    private static func places(_ length: Int) -> [Int] {
        let start = length / 8
        return Array((start..<16).filter { $0 != 8 }.prefix(4))
    }

    /// The name whose IPv4 addresses everybody knows (RFC 7050 §2.2).
    package static let wellKnownName = "ipv4only.arpa"
    private static let wellKnownAddresses: [[UInt8]] = [[192, 0, 0, 170], [192, 0, 0, 171]]

    /// The prefixes that these AAAA answers for `wellKnownName` betray, each once, in order (RFC 7050 §3).
    package static func discover(in answers: [IPAddress]) -> [TranslationPrefix] {
        var found: [TranslationPrefix] = []
        for result in answers where result.isV6 {
            let bytes = result.bytes
            // The address may stand at several places of one answer by chance: exactly one place counts.
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
