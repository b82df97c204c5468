/// Makes untrusted text safe for a terminal: characters that could move the cursor, change colours or reorder text are
/// escaped.
package enum TerminalSanitizer {
    /// Returns the text with control and format characters escaped as `\n`, `\t`, `\r` or `\u{1b}`, in at most `limit`
    /// characters.
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

    /// Returns the text, or its beginning and `…`, in at most `limit` characters.
    package static func cut(_ text: String, to limit: Int) -> String {
        guard limit > 0 else { return "" }
        return text.count <= limit ? text : text.prefix(limit - 1) + "…"
    }

    /// Returns a message of several lines with every line escaped; tabs stay.
    package static func message(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).map { self.text(String($0), limit: .max) }
                .joined(separator: "\t")
        }.joined(separator: "\n")
    }

    /// Escapes JSON text without changing its meaning: such characters occur in its strings only.
    package static func json(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control where scalar != "\n", .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            case _: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Splits a message into lines and escapes each of them.
    static func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { self.text(String($0), limit: 1000) }
    }
}
