/// The prefix in which a DNS64 embeds IPv4 addresses (RFC 6052 §2.2).
package struct SynthesisPrefix: Hashable, Sendable {
    package let bits: UInt128
    package let length: Int

    /// The lengths that RFC 6052 §2.2 allows.
    package static let lengths = [32, 40, 48, 56, 64, 96]

    /// Parses `2001:db8:64::/96`; nil when the length is not allowed, when bits beyond it are set, or when bits 64…71
    /// are.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let length = Int(parts[1]), SynthesisPrefix.lengths.contains(length),
            case .v6(let bits) = DNSAddress(String(parts[0])), bits << UInt128(length) == 0, bits >> 56 & 0xff == 0
        else { return nil }
        self.bits = bits
        self.length = length
    }

    /// Returns the prefix followed by the four octets, which skip bits 64…71; those stay zero.
    package func embedding(_ address: UInt32) -> UInt128 {
        var result = bits
        var octet = length / 8
        for shift in stride(from: 24, through: 0, by: -8) {
            if octet == 8 { octet += 1 }
            result |= UInt128(address >> UInt32(shift) & 0xff) << UInt128((15 - octet) * 8)
            octet += 1
        }
        return result
    }
}
