/// A domain name as its labels, byte for byte as they were sent: a response repeats the question's exact letters (the
/// 0x20 practice), while look-ups use `folded`.
package struct DNSName: Hashable, Sendable, CustomStringConvertible {
    package let labels: [[UInt8]]

    package static let root = DNSName(labels: [])

    /// Each label has 1 to 63 bytes, and the name at most 255 on the wire; messages of other names are not readable.
    package init(labels: [[UInt8]]) { self.labels = labels }

    /// Parses a host name, with or without the trailing dot; nil when a label is empty or longer than 63 octets, or the
    /// name longer than 255 on the wire (RFC 1035 §2.3.4).
    package init?(_ text: String) {
        guard text != "." else {
            self = .root
            return
        }
        let body = text.hasSuffix(".") ? text.dropLast() : text[...]
        let labels = body.split(separator: ".", omittingEmptySubsequences: false).map { Array($0.utf8) }
        guard labels.allSatisfy({ (1...63).contains($0.count) }), labels.reduce(1, { $0 + 1 + $1.count }) <= 255 else {
            return nil
        }
        self.labels = labels
    }

    /// The name without the trailing dot, the root as `.`; bytes that are not printable as `\DDD` (RFC 1035 §5.1).
    package var description: String { text { $0 } }

    /// The form in which names are compared: ASCII letters in lower case (RFC 4343 §3).
    package var folded: String { text { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 } }

    /// The name of its last label alone, or the root.
    package var topLevel: DNSName { DNSName(labels: Array(labels.suffix(1))) }

    private func text(_ change: (UInt8) -> UInt8) -> String {
        guard !labels.isEmpty else { return "." }
        var text = ""
        for (index, label) in labels.enumerated() {
            if index > 0 { text += "." }
            for byte in label {
                switch byte {
                case 0x2e, 0x5c: text += "\\" + String(UnicodeScalar(byte))
                case 0x21...0x7e: text.unicodeScalars.append(UnicodeScalar(change(byte)))
                default: text += "\\" + String(repeating: "0", count: 3 - String(byte).count) + String(byte)
                }
            }
        }
        return text
    }
}
