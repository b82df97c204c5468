/// An IPv4 or IPv6 address.
package enum IPAddress: Hashable, Sendable, BitwiseCopyable {
    case v4(IPv4Address)
    case v6(IPv6Address)

    package static func v6(high: UInt64, low: UInt64) -> IPAddress { .v6(IPv6Address(high: high, low: low)) }

    package static let anyV4 = IPAddress.v4(0)
    package static let anyV6 = IPAddress.v6(high: 0, low: 0)
    package static let loopbackV4 = IPAddress.v4(0x7F00_0001)
    package static let loopbackV6 = IPAddress.v6(high: 0, low: 1)

    package var isV6: Bool {
        switch self {
        case .v4: false
        case .v6: true
        }
    }

    /// True for link-local addresses (RFC 3927, RFC 4291 §2.5.6), which are not routed beyond the link.
    package var isLinkLocal: Bool {
        switch self {
        case .v4(let address): address.isLinkLocal
        case .v6(let address): address.isLinkLocal
        }
    }

    package var isLoopback: Bool {
        switch self {
        case .v4(let address): address.isLoopback
        case .v6(let address): address.isLoopback
        }
    }

    package var bitWidth: Int { isV6 ? 128 : 32 }

    /// The address in network byte order, 4 or 16 bytes.
    package var bytes: [UInt8] {
        switch self {
        case .v4(let address): (0..<4).map { UInt8(truncatingIfNeeded: address.value >> (24 - 8 * $0)) }
        case .v6(let address):
            [address.high, address.low].flatMap { word in
                (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
            }
        }
    }

    /// Reads 4 or 16 bytes in network byte order; nil for any other count.
    package init?(bytes: some Collection<UInt8>) {
        switch bytes.count {
        case 4: self = .v4(IPv4Address(bytes.reduce(0) { $0 << 8 | UInt32($1) }))
        case 16:
            self = .v6(
                high: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) },
                low: bytes.suffix(8).reduce(0) { $0 << 8 | UInt64($1) })
        default: return nil
        }
    }

    /// Parses dotted decimal, or a text form of RFC 4291 §2.2 without zone, brackets or prefix length.
    package init?(_ text: String) { self.init(text[...]) }
    package init?(_ text: Substring) {
        if let address = IPv4Address(text) {
            self = .v4(address)
        } else if let address = IPv6Address(text) {
            self = .v6(address)
        } else {
            return nil
        }
    }
}

extension IPAddress: CustomStringConvertible {
    package var description: String {
        switch self {
        case .v4(let address): address.description
        case .v6(let address): address.description
        }
    }
}

/// An address with the length of its network part, `10.0.0.1/24`.
package struct AddressPrefix: Hashable, Sendable, CustomStringConvertible {
    package let address: IPAddress
    package let length: Int

    package static let allV4 = AddressPrefix(uncheckedAddress: .anyV4, length: 0)
    package static let allV6 = AddressPrefix(uncheckedAddress: .anyV6, length: 0)

    private init(uncheckedAddress address: IPAddress, length: Int) {
        self.address = address
        self.length = length
    }

    /// Creates a prefix; nil if `length` is not within 0...32 or 0...128.
    package init?(_ address: IPAddress, length: Int) {
        guard (0...address.bitWidth).contains(length) else { return nil }
        self.init(uncheckedAddress: address, length: length)
    }

    /// Creates the prefix of a single host.
    package init(host address: IPAddress) {
        self.init(uncheckedAddress: address, length: address.bitWidth)
    }

    /// Parses `address` or `address/length`.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = IPAddress(parts[0]) else { return nil }
        guard parts.count == 2 else {
            self.init(host: address)
            return
        }
        guard let length = Int(parts[1]) else { return nil }
        self.init(address, length: length)
    }

    /// The same prefix with its host bits cleared, as routes require it.
    package var network: AddressPrefix {
        var bytes = address.bytes
        for index in bytes.indices {
            let kept = min(max(length - index * 8, 0), 8)
            bytes[index] &= UInt8(truncatingIfNeeded: 0xFF00 >> kept)
        }
        guard let cleared = IPAddress(bytes: bytes) else { preconditionFailure("the count of bytes is unchanged") }
        return AddressPrefix(uncheckedAddress: cleared, length: length)
    }

    package var description: String { "\(address)/\(length)" }
}
