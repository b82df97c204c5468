/// An IPv6 address.
package struct IPv6Address: Hashable, Sendable, Comparable, BitwiseCopyable, CustomStringConvertible {
    package var high: UInt64
    package var low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Parses any text form of RFC 4291 §2.2, with `::` and a dotted IPv4 tail; nil for anything else, including a zone
    /// or a prefix length.
    package init?(_ text: String) { self.init(Array(text.utf8)) }
    package init?(_ text: Substring) { self.init(Array(text.utf8)) }

    private init?(_ characters: [UInt8]) {
        var head: [UInt16] = []
        var tail: [UInt16] = []
        var isCompressed = false
        var position = 0
        let colon = UInt8(ascii: ":")
        if characters.starts(with: [colon, colon]) {
            isCompressed = true
            position = 2
        }
        while position < characters.count {
            var end = position
            while end < characters.count, characters[end] != colon { end += 1 }
            let group = String(decoding: characters[position..<end], as: UTF8.self)
            var words: [UInt16] = []
            if end == characters.count, group.utf8.contains(UInt8(ascii: ".")) {
                guard let address = IPv4Address(group) else { return nil }
                words = [UInt16(address.value >> 16), UInt16(truncatingIfNeeded: address.value)]
            } else {
                // `UInt16(_:radix:)` would accept a sign.
                guard (1...4).contains(group.utf8.count), group.allSatisfy(\.isHexDigit),
                    let word = UInt16(group, radix: 16)
                else { return nil }
                words = [word]
            }
            if isCompressed { tail += words } else { head += words }
            guard end < characters.count else { break }
            position = end + 1
            if position == characters.count { return nil }
            if characters[position] == colon {
                if isCompressed { return nil }
                isCompressed = true
                position += 1
            }
        }
        let missing = 8 - head.count - tail.count
        guard isCompressed ? missing >= 1 : missing == 0 else { return nil }
        let words = head + [UInt16](repeating: 0, count: missing) + tail
        high = words[0..<4].reduce(0) { $0 << 16 | UInt64($1) }
        low = words[4..<8].reduce(0) { $0 << 16 | UInt64($1) }
    }

    package static func < (left: IPv6Address, right: IPv6Address) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }

    package var isMulticast: Bool { high >> 56 == 0xFF }
    package var isUnspecified: Bool { high == 0 && low == 0 }
    /// ::1, and 127.0.0.0/8 in the form of IPv6.
    package var isLoopback: Bool { high == 0 && (low == 1 || low >> 24 == 0xFFFF7F) }
    /// ::ffff:0:0/96, an IPv4 address in the form of IPv6 (RFC 4291 §2.5.5.2).
    package var isIPv4Mapped: Bool { high == 0 && low >> 32 == 0xFFFF }
    package var isLinkLocal: Bool { high >> 54 == 0xFE80 >> 6 }

    /// The canonical form of RFC 5952: lower case, the longest run of at least two zero words shortened, and a mapped
    /// IPv4 address in its own form.
    package var description: String {
        if isIPv4Mapped { return "::ffff:\(IPv4Address(UInt32(truncatingIfNeeded: low)))" }
        let words = (0..<8).map { UInt16(truncatingIfNeeded: ($0 < 4 ? high : low) >> UInt64(48 - 16 * ($0 % 4))) }
        var best = 0..<0
        var start = 0
        while start < 8 {
            var end = start
            while end < 8, words[end] == 0 { end += 1 }
            if end - start > best.count, end - start > 1 { best = start..<end }
            start = end + 1
        }
        func text(_ range: Range<Int>) -> String { words[range].map { String($0, radix: 16) }.joined(separator: ":") }
        return best.isEmpty ? text(0..<8) : text(0..<best.lowerBound) + "::" + text(best.upperBound..<8)
    }
}
