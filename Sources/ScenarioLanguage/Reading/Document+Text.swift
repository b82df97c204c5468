import AdapterProtocol

extension Document.Node {
    /// The value as YAML in one line.
    var flow: String {
        switch self {
        case .scalar(let text, let isPlain, _):
            // A plain scalar with other characters could end early in a flow collection; it is text in any case.
            if isPlain, text.isEmpty { return "null" }
            let isSafe = text.wholeMatch(of: #/[A-Za-z0-9\/._%+-]+/#) != nil
            return isPlain && isSafe ? text : JSONValue.text(text).line
        case .list(let elements, _): return "[\(elements.map(\.flow).joined(separator: ", "))]"
        case .mapping(let pairs, _):
            let fields = pairs.map { "\($0.key.flow): \($0.value.flow)" }
            return fields.isEmpty ? "{}" : "{ \(fields.joined(separator: ", ")) }"
        }
    }

    /// The mapping as YAML, with a line for each key and each entry of its value.
    var block: String {
        pairs.map { key, value in
            let lines =
                switch value {
                case .scalar: [" \(value.flow)\n"]
                case .list(let elements, _): ["\n"] + elements.map { "  - \($0.flow)\n" }
                case .mapping(let pairs, _): ["\n"] + pairs.map { "  \($0.key.flow): \($0.value.flow)\n" }
                }
            // An empty collection needs its brackets.
            return "\(key.flow):\(lines.count == 1 && lines[0] == "\n" ? " \(value.flow)\n" : lines.joined())"
        }.joined()
    }
}
