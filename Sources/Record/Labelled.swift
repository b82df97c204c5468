/// A word of a closed set with details: `reset`, `pause: 1.0 seconds`, `timeout: after 20 s …`. The record holds both as
/// one text; only this type composes and splits it.
package struct Labelled<Word>: Hashable, Sendable
where Word: RawRepresentable & Hashable & Sendable, Word.RawValue == String {
    /// nil for a word that this version does not know; then all of the text is in the details.
    package private(set) var word: Word?
    /// The rest of the text, with its separator.
    private var rest: String

    package init(_ word: Word, _ details: String? = nil) {
        self.word = word
        rest = details.map { ": \($0)" } ?? ""
    }

    /// Composes a text from a name, which may be one of the words.
    package init(name: String, _ details: String) {
        word = Word(rawValue: name)
        rest = word == nil ? "\(name): \(details)" : ": \(details)"
    }

    /// Splits a text of the record, where `:` or `,` ends the word.
    package init(text: String) {
        let name = text.prefix { $0 != ":" && $0 != "," }
        word = Word(rawValue: String(name))
        rest = word == nil ? text : String(text.dropFirst(name.count))
    }

    /// Adds to the details.
    package func adding(_ more: String) -> Labelled {
        var longer = self
        longer.rest += more
        return longer
    }

    /// The details without the separator.
    package var details: String { String(rest.trimmingPrefix(word == nil ? "" : ": ")) }
    package var text: String { (word?.rawValue ?? "") + rest }
}

extension Labelled: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) { self.init(text: text) }
}
