/// Literal IP addresses and prefixes as scenarios write them.
enum AddressParser {
    static func isIPv4(_ text: String) -> Bool { ipv4(text) != nil }
    static func isIPv6(_ text: String) -> Bool { ipv6(text) != nil }
    static func isAddress(_ text: String) -> Bool { isIPv4(text) || isIPv6(text) }

    static func ipv4(_ text: String) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bytes: [UInt8] = []
        for part in parts {
            guard (1...3).contains(part.utf8.count), part.utf8.allSatisfy(UnitParser.isDigit),
                part == "0" || !part.hasPrefix("0"),
                let byte = UInt8(part)
            else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    /// Parses all three forms of RFC 4291 §2.2.
    static func ipv6(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= 45, text.contains(":") else { return nil }
        let halves = text.split(separator: "::", omittingEmptySubsequences: false).map(String.init)
        guard halves.count <= 2, let head = groups(halves[0], isLast: halves.count == 1) else { return nil }
        guard halves.count == 2 else { return head.count == 16 ? head : nil }
        guard let tail = groups(halves[1], isLast: true), head.count + tail.count <= 14 else { return nil }
        return head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
    }

    /// Parses groups; in the last part, an IPv4 address may replace the last two groups.
    private static func groups(_ text: String, isLast: Bool) -> [UInt8]? {
        if text.isEmpty { return [] }
        var bytes: [UInt8] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        for (index, part) in parts.enumerated() {
            if isLast, index == parts.count - 1, let last = ipv4(part) {
                bytes += last
            } else if (1...4).contains(part.utf8.count), part.utf8.allSatisfy(isHexadecimal),
                let group = UInt16(part, radix: 16)
            {
                bytes += [UInt8(group >> 8), UInt8(group & 0xFF)]
            } else {
                return nil
            }
        }
        return bytes.count <= 16 ? bytes : nil
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        UnitParser.isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }

    /// Returns nil if a translator of this lab can use the prefix `text`; otherwise a description of the problem.
    static func problemOfTranslationPrefix(_ text: String) -> String? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let address = ipv6(parts[0]), let length = Int(parts[1]) else {
            return "is no IPv6 prefix; write one such as 2001:db8:64::/96"
        }
        guard [32, 40, 48, 56, 64, 96].contains(length) else {
            return "has the length \(parts[1]); RFC 6052 §2.2 allows 32, 40, 48, 56, 64 and 96"
        }
        guard address[(length / 8)...].allSatisfy({ $0 == 0 }) else { return "has bits set behind its length" }
        if length == 96, address[8] != 0 { return "has bits 64 to 71 set, which are reserved (RFC 6052 §2.2)" }
        return nil
    }
}
