/// Objects behind the quoted packet of an ICMP error, and the length attribute that says where they begin (RFC 4884).
///
/// ICMP counts in words of four bytes, ICMPv6 in words of eight, so a translator has to adjust it (RFC 7915 §4.2, §5.2).
enum ICMPExtensions {
    /// Objects begin no nearer than this behind the ICMP header (RFC 4884 §4).
    private static let leastQuotation = 128

    /// The length attribute; 0 when this message has none.
    static func words4(_ icmp: ICMPHeader) -> Int {
        hasAttribute4(icmp.type) ? Int(icmp.rest >> 16 & 0xFF) : 0
    }
    static func words6(_ icmp: ICMPHeader) -> Int {
        hasAttribute6(icmp.type) ? Int(icmp.rest >> 24) : 0
    }

    private static func hasAttribute4(_ type: UInt8) -> Bool {
        type == ICMPHeader.V4.unreachable || type == ICMPHeader.V4.timeExceeded || type == ICMPHeader.V4.parameterProblem
    }
    private static func hasAttribute6(_ type: UInt8) -> Bool {
        type == ICMPHeader.V6.unreachable || type == ICMPHeader.V6.timeExceeded
    }

    /// Quotation and objects of a message of `count` bytes. An attribute that says more than there is says nothing.
    static func split(_ count: Int, words: Int, wordLength: Int) -> (quoted: Range<Int>, extensions: Range<Int>) {
        let border = ICMPHeader.length + words * wordLength
        guard words > 0, border < count else { return (ICMPHeader.length..<count, count..<count) }
        return (ICMPHeader.length..<border, border..<count)
    }

    /// The body of a translated error: the quotation within `room` bytes, and the objects behind it where the message can have
    /// any and they fit; else they are cut off. The attribute is set in `error`.
    static func assemble(
        _ quoted: [UInt8], _ extensions: Span<UInt8>, room: Int, version: IPVersion, _ error: inout ICMPErrorTables.Message
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
