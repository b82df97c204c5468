/// Text of foreign origin made fit for a terminal and for one line: what could move the cursor, change colours or reorder text is
/// written out.
enum OneLine {
    /// `\n`, `\t`, `\r` and `\u{1b}` in place of control and format characters; at most `limit` characters.
    static func text(_ text: String, limit: Int = 400) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default:
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
                    result += "\\u{\(String(scalar.value, radix: 16))}"
                case _: result.unicodeScalars.append(scalar)
                }
            }
        }
        return cut(result, to: limit)
    }

    /// The text, or its beginning and `…`, in at most `limit` characters.
    static func cut(_ text: String, to limit: Int) -> String {
        guard limit > 0 else { return "" }
        return text.count <= limit ? text : text.prefix(limit - 1) + "…"
    }

    /// Each line by itself, for messages that may have several.
    static func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { self.text(String($0), limit: 1000) }
    }
}
