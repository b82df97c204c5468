package import Record

/// A document and its section as text, such as `RFC 9110 §15.4`. A quotation may follow after a colon.
package enum Citation {
    /// Returns true for the name of a document, a blank, and a section that begins with a digit or a letter.
    package static func isValid(_ text: String) -> Bool {
        let parts = text.split(separator: "§", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].hasSuffix(" "), parts[0].first?.isLetter == true else { return false }
        guard parts[1].first.map({ $0.isLetter || $0.isNumber }) == true else { return false }
        let document = parts[0].split(separator: " ")
        return document[0] != "RFC" || (document.count == 2 && document[1].utf8.allSatisfy(UnitParser.isDigit))
    }

    /// Returns true if `text` cites the document or section `wanted`, or a part of it: `RFC 9110 §15.4` includes
    /// `RFC 9110 §15.4.3`, but not `RFC 9110 §15.40`.
    package static func matches(_ text: String, _ wanted: String) -> Bool {
        let (text, wanted) = (folded(text), folded(wanted))
        guard !wanted.isEmpty, text.hasPrefix(wanted) else { return false }
        return text.dropFirst(wanted.count).first.map { !$0.isLetter && !$0.isNumber } ?? true
    }

    /// Returns the basis that a document gives: an RFC, the Fetch standard, or the documents of URLSession.
    package static func basis(of text: String) -> Basis {
        if text.hasPrefix("RFC ") { return .rfc }
        return text.hasPrefix("Fetch ") ? .fetch : .urlsession
    }

    private static func folded(_ text: String) -> String { text.lowercased().filter { !$0.isWhitespace } }
}
