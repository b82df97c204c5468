import HTTPFields

/// A Content-Range in bytes (RFC 9110 §14.4).
package enum ContentRange: Hashable, Sendable {
    /// Bytes `first` to `last`, both included, of a representation of `total` bytes; `total` is nil for `*`.
    case part(first: Int64, last: Int64, total: Int64?)
    /// `bytes */total`, sent with status 416.
    case unsatisfied(total: Int64)

    /// Parses the field value. Returns nil when it is malformed or contradicts itself.
    package init?(_ text: String) {
        let words = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard words.count == 2, HTTPFieldSyntax.equal(words[0], "bytes") else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let total = ContentRange.number(HTTPFieldSyntax.trimmed(parts[1]))
        guard total != nil || HTTPFieldSyntax.trimmed(parts[1]) == "*" else { return nil }
        let range = HTTPFieldSyntax.trimmed(parts[0])
        if range == "*" {
            guard let total else { return nil }
            self = .unsatisfied(total: total)
            return
        }
        let ends = range.split(separator: "-", omittingEmptySubsequences: false).map { ContentRange.number(String($0)) }
        guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last, total.map({ last < $0 }) ?? true
        else { return nil }
        self = .part(first: first, last: last, total: total)
    }

    private static func number(_ text: String) -> Int64? {
        guard (1...18).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int64(text)
    }
}
