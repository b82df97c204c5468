/// Escapes text for an XML 1.0 document.
enum XMLEscaping {
    /// Escapes element content. CR is written as a reference, because a parser would read it as a line feed (XML 1.0
    /// §2.11).
    static func content(_ text: String) -> String { escaped(text, attribute: false) }

    /// Escapes an attribute's value, without its quotes. Line ends and tabs are written as references, because a parser
    /// would read them as spaces (XML 1.0 §3.3.3).
    static func attribute(_ text: String) -> String { escaped(text, attribute: true) }

    private static func escaped(_ text: String, attribute: Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            // "]]>" is not allowed in content (XML 1.0 §2.4).
            case ">": result += "&gt;"
            case "\"" where attribute: result += "&quot;"
            case "\n" where attribute: result += "&#10;"
            case "\t" where attribute: result += "&#9;"
            case "\r": result += "&#13;"
            // Characters that XML 1.0 §2.2 does not allow, not even as references.
            case "\u{0}"..."\u{8}", "\u{b}"..."\u{c}", "\u{e}"..."\u{1f}", "\u{fffe}"..."\u{ffff}": result += "\u{fffd}"
            case _: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
