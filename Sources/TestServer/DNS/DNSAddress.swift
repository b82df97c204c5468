/// An IP address with the parts that the name server needs: 32 or 128 bits and their text.
package enum DNSAddress: Hashable, Sendable, CustomStringConvertible {
    case v4(UInt32)
    case v6(UInt128)

    /// Reads dotted decimal (four plain decimal numbers) or RFC 4291 §2.2 text, without zone or brackets; nil for anything else.
    package init?(_ text: String) {
        if let bits = DNSAddress.dottedDecimal(text[...]) {
            self = .v4(bits)
        } else if let bits = DNSAddress.colonHexadecimal(text) {
            self = .v6(bits)
        } else {
            return nil
        }
    }

    package var description: String {
        switch self {
        case .v4(let bits):
            stride(from: 24, through: 0, by: -8).map { String(UInt8(truncatingIfNeeded: bits >> $0)) }.joined(
                separator: ".")
        case .v6(let bits): DNSAddress.canonical(bits)
        }
    }

    /// True if it is in ::ffff:0:0/96, which a DNS64 ignores among AAAA records (RFC 6147 §5.1.4).
    var isMappedIPv4: Bool {
        switch self {
        case .v4: false
        case .v6(let bits): bits >> 32 == 0xffff
        }
    }

    private static func dottedDecimal(_ text: Substring) -> UInt32? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bits: UInt32 = 0
        for part in parts {
            guard (1...3).contains(part.utf8.count), part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                part.utf8.count == 1 || part.utf8.first != 0x30, let octet = UInt8(part)
            else { return nil }
            bits = bits << 8 | UInt32(octet)
        }
        return bits
    }

    private static func colonHexadecimal(_ text: String) -> UInt128? {
        var halves: [Substring] = []
        if let gap = text.firstRange(of: "::") {
            halves = [text[..<gap.lowerBound], text[gap.upperBound...]]
        } else {
            halves = [text[...]]
        }
        var groups: [[UInt16]] = []
        for (index, half) in halves.enumerated() {
            guard let parsed = DNSAddress.groups(half, mayEndDotted: index == halves.count - 1) else { return nil }
            groups.append(parsed)
        }
        let count = groups.reduce(0) { $0 + $1.count }
        // "::" replaces at least one group.
        guard halves.count == 1 ? count == 8 : count < 8 else { return nil }
        let filled = groups.count == 1 ? groups[0] : groups[0] + Array(repeating: 0, count: 8 - count) + groups[1]
        return filled.reduce(0) { $0 << 16 | UInt128($1) }
    }

    private static func groups(_ text: Substring, mayEndDotted: Bool) -> [UInt16]? {
        guard !text.isEmpty else { return [] }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 8 else { return nil }
        var groups: [UInt16] = []
        for (index, part) in parts.enumerated() {
            if mayEndDotted, index == parts.count - 1, let quad = dottedDecimal(part) {
                groups += [UInt16(quad >> 16), UInt16(truncatingIfNeeded: quad)]
                continue
            }
            guard (1...4).contains(part.utf8.count), part.utf8.first != 0x2b, part.utf8.first != 0x2d,
                let group = UInt16(part, radix: 16)
            else { return nil }
            groups.append(group)
        }
        return groups
    }

    /// RFC 5952: lower case, no leading zeros, the first longest run of two or more zero groups as `::`.
    private static func canonical(_ bits: UInt128) -> String {
        let groups = stride(from: 112, through: 0, by: -16).map { UInt16(truncatingIfNeeded: bits >> $0) }
        var longest = 0..<0
        var start = 0
        while start < groups.count {
            var end = start
            while end < groups.count, groups[end] == 0 { end += 1 }
            if end - start > max(longest.count, 1) { longest = start..<end }
            start = max(end, start + 1)
        }
        let text = { (part: ArraySlice<UInt16>) in part.map { String($0, radix: 16) }.joined(separator: ":") }
        guard !longest.isEmpty else { return text(groups[...]) }
        return text(groups[..<longest.lowerBound]) + "::" + text(groups[longest.upperBound...])
    }
}
