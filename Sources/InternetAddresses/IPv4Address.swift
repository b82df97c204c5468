/// An IPv4 address.
package struct IPv4Address: Hashable, Sendable, Comparable, BitwiseCopyable, CustomStringConvertible {
    package var value: UInt32

    package init(_ value: UInt32) { self.value = value }

    /// Parses four decimal numbers; nil for anything else, including leading zeros (some parsers read those as octal).
    package init?(_ text: String) { self.init(text.utf8) }
    package init?(_ text: Substring) { self.init(text.utf8) }

    // Private, because another module could call it only unspecialised, at ten times the cost.
    private init?(_ text: some Sequence<UInt8>) {
        var value: UInt32 = 0
        var part: UInt32?
        var dots = 0
        for byte in text {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                let digit = UInt32(byte - UInt8(ascii: "0"))
                if part == 0 { return nil }
                let grown = (part ?? 0) * 10 + digit
                guard grown <= 255 else { return nil }
                part = grown
            case UInt8(ascii: "."):
                guard let number = part, dots < 3 else { return nil }
                value = value << 8 | number
                part = nil
                dots += 1
            default: return nil
            }
        }
        guard let number = part, dots == 3 else { return nil }
        self.value = value << 8 | number
    }

    package static func < (left: IPv4Address, right: IPv4Address) -> Bool { left.value < right.value }

    package var description: String { "\(value >> 24).\(value >> 16 & 255).\(value >> 8 & 255).\(value & 255)" }

    func isIn(_ network: UInt32, _ length: Int) -> Bool { (value ^ network) >> UInt32(32 - length) == 0 }

    package var isMulticast: Bool { isIn(0xE000_0000, 4) }
    package var isUnspecified: Bool { value == 0 }
    package var isLoopback: Bool { isIn(0x7F00_0000, 8) }
    /// 169.254.0.0/16 (RFC 3927).
    package var isLinkLocal: Bool { isIn(0xA9FE_0000, 16) }
    package var isBroadcast: Bool { value == .max }

    /// True if a packet can come from this address and be sent to it alone.
    package var isUsableByAHost: Bool { !isUnspecified && !isMulticast && !isLoopback && !isBroadcast }

    /// True for addresses outside the public internet: RFC 1918, RFC 6598 and the special-purpose blocks of RFC 5735 §3
    /// / RFC 6890.
    package var isNonGlobal: Bool {
        let blocks: [(UInt32, Int)] = [
            (0x0000_0000, 8), (0x0A00_0000, 8), (0x6440_0000, 10), (0x7F00_0000, 8), (0xA9FE_0000, 16),
            (0xAC10_0000, 12),
            (0xC000_0000, 24), (0xC000_0200, 24), (0xC058_6300, 24), (0xC0A8_0000, 16), (0xC612_0000, 15),
            (0xC633_6400, 24), (0xCB00_7100, 24), (0xE000_0000, 4), (0xF000_0000, 4),
        ]
        return blocks.contains { isIn($0.0, $0.1) }
    }
}

extension IPv4Address: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: UInt32) { self.value = value }
}
