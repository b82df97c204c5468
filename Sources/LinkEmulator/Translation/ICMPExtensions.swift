/// Objects after the quoted packet of an ICMP error, and the length attribute that states their offset (RFC 4884).
///
/// ICMP counts in words of four bytes, ICMPv6 in words of eight, so a translator has to adjust it (RFC 7915 §4.2,
/// §5.2).
enum ICMPExtensions {
    /// Objects begin at least this many bytes after the ICMP header (RFC 4884 §4).
    private static let leastQuotation = 128

    /// Returns the length attribute; 0 if this message has none.
    static func words4(_ icmp: ICMPHeader) -> Int {
        hasAttribute4(icmp.type) ? Int(icmp.rest >> 16 & 0xFF) : 0
    }
    static func words6(_ icmp: ICMPHeader) -> Int {
        hasAttribute6(icmp.type) ? Int(icmp.rest >> 24) : 0
    }

    private static func hasAttribute4(_ type: UInt8) -> Bool {
        type == ICMPHeader.V4.unreachable || type == ICMPHeader.V4.timeExceeded
            || type == ICMPHeader.V4.parameterProblem
    }
    private static func hasAttribute6(_ type: UInt8) -> Bool {
        type == ICMPHeader.V6.unreachable || type == ICMPHeader.V6.timeExceeded
    }

    /// Returns the ranges of quotation and objects in a message of `count` bytes. An attribute beyond the end is
    /// ignored.
    static func split(_ count: Int, words: Int, wordLength: Int) -> (quoted: Range<Int>, extensions: Range<Int>) {
        let border = ICMPHeader.length + words * wordLength
        guard words > 0, border < count else { return (ICMPHeader.length..<count, count..<count) }
        return (ICMPHeader.length..<border, border..<count)
    }

    /// Returns the body of a translated error: the quotation, at most `room` bytes, followed by the objects if the
    /// message can have any and they fit; otherwise the objects are omitted. Sets the attribute in `error`.
    static func assemble(
        _ quoted: [UInt8], _ extensions: Span<UInt8>, room: Int, version: IPVersion,
        _ error: inout ICMPErrorTables.Message
    ) -> [UInt8] {
        let word: Int
        let canCarry: Bool
        switch version {
        case .v4: (word, canCarry) = (4, hasAttribute4(error.type))
        case .v6: (word, canCarry) = (8, hasAttribute6(error.type))
        }
        let most = min((room - extensions.count) / word, Int(UInt8.max)) * word
        guard canCarry, extensions.count > 0, most >= leastQuotation else { return Array(quoted.prefix(room)) }
        var body = Array(quoted.prefix(most))
        let padded = max(leastQuotation, (body.count + word - 1) / word * word)
        body += [UInt8](repeating: 0, count: padded - body.count)
        body.append(extensions)
        switch version {
        case .v4: error.rest |= UInt32(padded / word) << 16
        case .v6: error.rest |= UInt32(padded / word) << 24
        }
        return body
    }
}
