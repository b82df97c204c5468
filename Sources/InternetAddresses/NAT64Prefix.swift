/// The IPv6 prefix that represents the IPv4 internet (RFC 6052).
package struct NAT64Prefix: Hashable, Sendable, CustomStringConvertible {
    package let address: IPv6Address
    package let length: Int

    package static let lengths = [32, 40, 48, 56, 64, 96]
    /// 64:ff9b::/96 (RFC 6052 §2.1).
    package static let wellKnown = NAT64Prefix(IPv6Address(high: 0x0064_FF9B_0000_0000, low: 0), length: 96)!

    /// Creates a prefix; nil unless the length is one of RFC 6052 §2.2, no bit is set after the prefix, and bits 64 to
    /// 71 are zero.
    package init?(_ address: IPv6Address, length: Int) {
        guard Self.lengths.contains(length), address.low >> 56 == 0 else { return nil }
        if length == 96 {
            guard address.low & 0xFFFF_FFFF == 0 else { return nil }
        } else {
            guard address.low == 0, length == 64 || address.high << UInt64(length) == 0 else { return nil }
        }
        self.address = address
        self.length = length
    }

    /// Creates the prefix of `length` bits with which `address` begins; nil if it cannot be a prefix (see above).
    package init?(of address: IPv6Address, length: Int) {
        guard let prefix = AddressPrefix(.v6(address), length: length), case .v6(let network) = prefix.network.address
        else { return nil }
        self.init(network, length: length)
    }

    /// Parses a prefix such as `2001:db8:64::/96`.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let address = IPv6Address(parts[0]), let length = Int(parts[1]) else { return nil }
        self.init(address, length: length)
    }

    package var description: String { "\(address)/\(length)" }
    package var isWellKnown: Bool { self == Self.wellKnown }

    package func contains(_ candidate: IPv6Address) -> Bool {
        if length == 96 { return candidate.high == address.high && candidate.low >> 32 == address.low >> 32 }
        return (candidate.high ^ address.high) >> UInt64(64 - length) == 0
    }

    /// Returns the IPv6 address that represents `ipv4`. Shorter prefixes skip bits 64 to 71, which stay zero (RFC 6052
    /// §2.2).
    package func embed(_ ipv4: IPv4Address) -> IPv6Address {
        let value = UInt64(ipv4.value)
        if length == 96 { return IPv6Address(high: address.high, low: address.low | value) }
        let behind = UInt64(32 - (64 - length))
        return IPv6Address(high: address.high | value >> behind, low: (value & ((1 << behind) - 1)) << (56 - behind))
    }

    /// Returns the IPv4 address that `candidate` represents; nil outside the prefix. A suffix is ignored (RFC 6052
    /// §2.2).
    package func extract(_ candidate: IPv6Address) -> IPv4Address? {
        guard contains(candidate) else { return nil }
        if length == 96 { return IPv4Address(UInt32(truncatingIfNeeded: candidate.low)) }
        let behind = UInt64(32 - (64 - length))
        let front = candidate.high << behind
        return IPv4Address(UInt32(truncatingIfNeeded: front | (candidate.low << 8) >> (64 - behind)))
    }

    /// Returns true if the prefix may represent this address: the well-known prefix only if the address is global (RFC
    /// 6052 §3.1).
    package func mayRepresent(_ ipv4: IPv4Address) -> Bool { !isWellKnown || !ipv4.isNonGlobal }
}
