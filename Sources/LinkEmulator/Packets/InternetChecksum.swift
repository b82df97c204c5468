package import InternetAddresses

/// The ones' complement sum of 16-bit words that IPv4, TCP, UDP and ICMP use (RFC 1071), and its incremental update
/// (RFC 1624).
package struct InternetChecksum: Hashable, Sendable {
    /// Never overflows: each addition is below 2^20 words of 2^16.
    private var sum: UInt64 = 0

    package init() {}

    /// Starts from a checksum that is correct for the old bytes; then `remove` the old words and `add` the new ones.
    package init(repairing checksum: UInt16) { sum = UInt64(~checksum) }

    package mutating func add(_ word: UInt16) { sum += UInt64(word) }
    package mutating func remove(_ word: UInt16) { sum += UInt64(~word) }

    package mutating func add(_ address: IPv4Address) {
        add(UInt16(address.value >> 16))
        add(UInt16(truncatingIfNeeded: address.value))
    }
    package mutating func remove(_ address: IPv4Address) {
        remove(UInt16(address.value >> 16))
        remove(UInt16(truncatingIfNeeded: address.value))
    }
    package mutating func add(_ address: IPv6Address) {
        for shift in stride(from: UInt64(0), through: 48, by: 16) {
            add(UInt16(truncatingIfNeeded: address.high >> shift))
            add(UInt16(truncatingIfNeeded: address.low >> shift))
        }
    }
    package mutating func remove(_ address: IPv6Address) {
        for shift in stride(from: UInt64(0), through: 48, by: 16) {
            remove(UInt16(truncatingIfNeeded: address.high >> shift))
            remove(UInt16(truncatingIfNeeded: address.low >> shift))
        }
    }

    /// Adds bytes that begin at an even offset; an odd last one counts as the high half of a word.
    package mutating func add(_ bytes: Span<UInt8>) {
        let count = bytes.count
        var position = 0
        while position + 1 < count {
            sum += UInt64(bytes[position]) << 8 | UInt64(bytes[position + 1])
            position += 2
        }
        if position < count { sum += UInt64(bytes[position]) << 8 }
    }

    /// Adds the pseudo-header of TCP and UDP over IPv4.
    package mutating func addPseudoHeader(
        _ source: IPv4Address, _ destination: IPv4Address, _ next: IPProtocol, length: Int
    ) {
        add(source)
        add(destination)
        add(UInt16(next.rawValue))
        add(UInt16(truncatingIfNeeded: length))
    }

    /// Adds the pseudo-header of TCP, UDP and ICMPv6 over IPv6 (RFC 8200 §8.1).
    package mutating func addPseudoHeader(
        _ source: IPv6Address, _ destination: IPv6Address, _ next: IPProtocol, length: Int
    ) {
        add(source)
        add(destination)
        add(UInt16(truncatingIfNeeded: length >> 16))
        add(UInt16(truncatingIfNeeded: length))
        add(UInt16(next.rawValue))
    }

    /// The value of the checksum field. For bytes that already contain a correct checksum it is 0.
    package var value: UInt16 {
        var folded = sum
        while folded > 0xFFFF { folded = (folded & 0xFFFF) + folded >> 16 }
        return ~UInt16(folded)
    }

    /// The value for UDP, where 0 would mean "no checksum".
    package var udpValue: UInt16 { value == 0 ? 0xFFFF : value }
}
