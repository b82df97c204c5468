/// A JSON value whose members keep their order, written with indentation for people and programs.
package indirect enum OrderedJSON {
    case string(String)
    case integer(Int64)
    /// A number, given as the digits to write.
    case number(String)
    case bool(Bool)
    case null
    case array([OrderedJSON])
    case object([(String, OrderedJSON)])

    package static func text(_ text: String?) -> OrderedJSON { text.map { .string($0) } ?? .null }
    package static func count(_ number: Int) -> OrderedJSON { .integer(Int64(number)) }
    package static func strings(_ list: [String]) -> OrderedJSON { .array(list.map { .string($0) }) }

    /// Returns the JSON text. Objects of up to `shortest` plain members are written on one line; `indent` precedes each
    /// later line.
    package func written(shortest: Int = 6, indent: String = "") -> String {
        let inner = indent + "  "
        switch self {
        case .string(let text): return OrderedJSON.quoted(text)
        case .integer(let number): return "\(number)"
        case .number(let digits): return digits
        case .bool(let value): return value ? "true" : "false"
        case .null: return "null"
        case .array(let items) where items.isEmpty: return "[]"
        case .array(let items) where items.allSatisfy(\.isPlain):
            return "[" + items.map { $0.written() }.joined(separator: ", ") + "]"
        case .array(let items):
            return "[\n" + items.map { inner + $0.written(shortest: shortest, indent: inner) }.joined(separator: ",\n")
                + "\n\(indent)]"
        case .object(let members) where members.count <= shortest && members.allSatisfy(\.1.isPlain):
            return "{" + members.map { "\(OrderedJSON.quoted($0.0)): \($0.1.written())" }.joined(separator: ", ") + "}"
        case .object(let members):
            let lines = members.map {
                "\(inner)\(OrderedJSON.quoted($0.0)): \($0.1.written(shortest: shortest, indent: inner))"
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
        }
    }

    /// True for values other than lists and objects. Lists and small objects of plain values are written on one line.
    private var isPlain: Bool {
        switch self {
        case .string, .integer, .number, .bool, .null: true
        case .array, .object: false
        }
    }

    /// Quotes text by RFC 8259 §7, and also escapes U+2028 and U+2029, which JavaScript treats as line ends.
    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\u{0}"..."\u{1f}", "\u{7f}", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            case _: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
