/// A minimal JSON model for printing a schema: keys keep their order, so that the output changes only where the
/// language does.
indirect enum OrderedJSON {
    case string(String)
    case integer(Int64)
    case decimal(String)
    case boolean(Bool)
    case array([OrderedJSON])
    case object([(String, OrderedJSON)])

    func printed(indentation: Int = 0) -> String {
        let inner = String(repeating: "  ", count: indentation + 1)
        let outer = String(repeating: "  ", count: indentation)
        switch self {
        case .string(let text): return Self.quoted(text)
        case .integer(let number): return "\(number)"
        case .decimal(let text): return text
        case .boolean(let value): return value ? "true" : "false"
        case .array(let elements):
            if elements.isEmpty { return "[]" }
            if elements.allSatisfy(\.isScalar) { return "[\(elements.map { $0.printed() }.joined(separator: ", "))]" }
            return
                "[\n\(elements.map { inner + $0.printed(indentation: indentation + 1) }.joined(separator: ",\n"))\n\(outer)]"
        case .object(let pairs):
            if pairs.isEmpty { return "{}" }
            let lines = pairs.map { "\(inner)\(Self.quoted($0.0)): \($0.1.printed(indentation: indentation + 1))" }
            return "{\n\(lines.joined(separator: ",\n"))\n\(outer)}"
        }
    }

    private var isScalar: Bool {
        switch self {
        case .string, .integer, .decimal, .boolean: true
        case .array, .object: false
        }
    }

    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            default:
                if scalar.value < 0x20 {
                    let digits = String(scalar.value, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result + "\""
    }
}
