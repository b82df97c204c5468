/// A share between 0 and 1; an invalid value cannot be created.
package struct Probability: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let value: Double
    package init?(_ value: Double) {
        guard (0...1).contains(value) else { return nil }
        self.value = value
    }
    package static let zero = Probability(0)!
    package static let certain = Probability(1)!
    package static func < (left: Probability, right: Probability) -> Bool { left.value < right.value }
    package var description: String { "\((value * 1_000_000).rounded() / 10_000)%" }
}

/// A rate in bits per second on the wire (layer 3), greater than zero.
package struct BitRate: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let bitsPerSecond: UInt64
    package init?(bitsPerSecond: UInt64) {
        guard bitsPerSecond > 0 else { return nil }
        self.bitsPerSecond = bitsPerSecond
    }
    package static func < (left: BitRate, right: BitRate) -> Bool { left.bitsPerSecond < right.bitsPerSecond }
    package var description: String {
        switch bitsPerSecond {
        case 1_000_000_000...: "\(Double(bitsPerSecond) / 1e9)Gbit/s"
        case 1_000_000...: "\(Double(bitsPerSecond) / 1e6)Mbit/s"
        case 1_000...: "\(Double(bitsPerSecond) / 1e3)kbit/s"
        default: "\(bitsPerSecond)bit/s"
        }
    }
}

/// A number of bytes, never negative.
package struct ByteCount: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let bytes: Int64
    package init?(_ bytes: Int64) {
        guard bytes >= 0 else { return nil }
        self.bytes = bytes
    }
    package static let zero = ByteCount(0)!
    package static func < (left: ByteCount, right: ByteCount) -> Bool { left.bytes < right.bytes }
    package var description: String {
        if bytes >= 1 << 20, bytes % (1 << 20) == 0 { return "\(bytes >> 20)MiB" }
        if bytes >= 1 << 10, bytes % (1 << 10) == 0 { return "\(bytes >> 10)KiB" }
        return "\(bytes)B"
    }
}

extension Duration {
    /// The duration in whole nanoseconds, the unit of the record and the link.
    package var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
