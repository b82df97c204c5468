internal import Yams

/// The YAML of one file as a tree with positions, independent of the scenario language.
struct Document {
    indirect enum Node: Sendable {
        /// `isPlain`: written without quotes, so that `true`, `5` or an empty value may be other than text.
        case scalar(String, isPlain: Bool, Place)
        case list([Node], Place)
        case mapping([(key: Node, value: Node)], Place)

        typealias Pair = (key: Node, value: Node)

        var place: Place {
            switch self {
            case .scalar(_, _, let place), .list(_, let place), .mapping(_, let place): place
            }
        }

        /// The text of a scalar.
        var text: String? { if case .scalar(let text, _, _) = self { text } else { nil } }
        /// The pairs of a mapping; none for other values.
        var pairs: [Pair] { if case .mapping(let pairs, _) = self { pairs } else { [] } }
        /// The elements of a list; none for other values.
        var elements: [Node] { if case .list(let elements, _) = self { elements } else { [] } }
        /// The value of a key of a mapping.
        subscript(_ key: String) -> Node? { pairs.first { $0.key.text == key }?.value }

        static func key(_ text: String, _ place: Place) -> Node { .scalar(text, isPlain: true, place) }
    }

    static let sizeLimit = 1 << 20
    /// The limit of nodes: an alias can expand to a tree many times its text, and nested aliases grow exponentially.
    static let nodeLimit = 100_000
    /// The limit of nesting, beyond any real file; parsing and reading are recursive.
    static let depthLimit = 64

    let root: Node

    init(file: String, text: String) throws(ScenarioError) {
        let start = Place(file: file, line: 1, column: 1)
        guard text.utf8.count <= Self.sizeLimit else {
            throw ScenarioError(at: start, "the file is larger than 1 MiB, too large for a scenario")
        }
        try Self.refuseControlCharacters(text, file: file)
        try Self.refuseDepth(text, file: file)
        try Self.refuseAliasKeys(text, file: file)
        let source = text.hasPrefix("\u{FEFF}") ? String(text.unicodeScalars.dropFirst()) : text
        let node: Yams.Node?
        do {
            // The basic resolver leaves every scalar as text: shapes decide the types, not the spelling.
            node = try Yams.compose(yaml: source, .basic, .default, .utf8)
        } catch {
            throw Self.scenarioError(error, file: file)
        }
        guard let node else {
            throw ScenarioError(
                at: start, "the file is empty; a scenario has at least scenario, steps and expect")
        }
        var count = 0
        root = try Self.convert(node, file: file, count: &count, depth: 0)
    }

    private static func convert(
        _ node: Yams.Node, file: String, count: inout Int, depth: Int
    ) throws(ScenarioError) -> Node {
        let place = Place(file: file, line: node.mark?.line ?? 1, column: node.mark?.column ?? 1)
        count += 1
        guard count <= nodeLimit else {
            throw ScenarioError(at: place, "the file's aliases expand to more than \(nodeLimit) values; use fewer")
        }
        guard depth <= depthLimit else {
            throw ScenarioError(
                at: place, "this is nested more than \(depthLimit) levels deep, the limit for scenarios")
        }
        switch node {
        case .scalar(let scalar):
            return .scalar(scalar.string, isPlain: scalar.style == .plain || scalar.style == .any, place)
        case .sequence(let sequence):
            var elements: [Node] = []
            for element in sequence {
                elements.append(try convert(element, file: file, count: &count, depth: depth + 1))
            }
            return .list(elements, place)
        case .mapping(let mapping):
            var pairs: [(key: Node, value: Node)] = []
            for (key, value) in mapping {
                pairs.append(
                    (
                        try convert(key, file: file, count: &count, depth: depth + 1),
                        try convert(value, file: file, count: &count, depth: depth + 1)
                    ))
            }
            return .mapping(pairs, place)
        case .alias:
            // The composer replaces aliases by their targets.
            throw ScenarioError(at: place, "this alias has no anchor")
        }
    }

    private static func scenarioError(_ error: any Error, file: String) -> ScenarioError {
        func at(_ line: Int, _ column: Int) -> Place { Place(file: file, line: max(line, 1), column: max(column, 1)) }
        guard let error = error as? YamlError else {
            return ScenarioError(at: at(1, 1), "this is not valid YAML: \(error)")
        }
        switch error {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            let known =
                context.map { " (\($0.text) that begins at line \($0.mark.line), column \($0.mark.column))" } ?? ""
            return ScenarioError(at: at(mark.line, mark.column), "this is not valid YAML: \(problem)\(known)")
        case .duplicatedKeysInMapping(let duplicates, let context):
            let names = duplicates.map { "`\($0)`" }.joined(separator: ", ")
            return ScenarioError(
                at: at(context.mark.line, context.mark.column),
                "the key \(names) is repeated in this mapping; keep one of them")
        case .reader(let problem, _, _, _):
            return ScenarioError(at: at(1, 1), "this is not valid YAML: \(problem)")
        case .no, .memory, .writer, .emitter, .representer, .dataCouldNotBeDecoded:
            return ScenarioError(at: at(1, 1), "this is not valid YAML: \(error)")
        }
    }

    private static func refuseControlCharacters(_ text: String, file: String) throws(ScenarioError) {
        var line = 1
        var column = 1
        var isIndentation = true
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n":
                line += 1
                column = 0
                isIndentation = true
            case "\r", " ": break
            case "\t":
                if isIndentation {
                    throw ScenarioError(
                        at: Place(file: file, line: line, column: column),
                        "a tab indents this line; YAML indents with spaces only")
                }
            default:
                isIndentation = false
                if scalar.value < 0x20 || scalar.value == 0x7F || (0x80..<0xA0).contains(scalar.value) {
                    throw ScenarioError(
                        at: Place(file: file, line: line, column: column),
                        "the character U+\(hexadecimal(scalar.value)) is not allowed in a scenario; in quotes write it as an escape"
                    )
                }
            }
            column += 1
        }
    }

    /// Refuses deep nesting before parsing. The parser and the release of its tree, which aliases deepen, are
    /// recursive; a rough count, including quotes and comments, refuses what could exhaust the stack.
    private static func refuseDepth(_ text: String, file: String) throws(ScenarioError) {
        var depth = 0
        var anchors = 0
        var line = 1
        var leading = 0
        var isLeading = true
        var previous = UInt8(ascii: "\n")
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(0, depth - 1)
            case UInt8(ascii: "&"):
                switch previous {
                case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ","),
                    UInt8(ascii: ":"):
                    anchors += 1
                default: break
                }
            default: break
            }
            if byte == UInt8(ascii: "\n") {
                line += 1
                leading = 0
                isLeading = true
            } else if isLeading,
                [UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "?"), UInt8(ascii: ":")].contains(byte)
            {
                leading += 1
            } else {
                isLeading = false
            }
            previous = byte
            let problem: String? =
                if depth > depthLimit {
                    "brackets are nested more than \(depthLimit) levels deep here; close some"
                } else if leading > 2 * depthLimit {
                    "this line is indented by more than \(2 * depthLimit) columns, the limit for scenarios"
                } else if anchors > 32 {
                    "the file has more than 32 anchors; use fewer"
                } else {
                    nil
                }
            if let problem { throw ScenarioError(at: Place(file: file, line: line, column: 1), problem) }
        }
    }

    /// Refuses aliases as keys: the parser compares keys by their whole content, which takes exponential time for
    /// aliases of aliases.
    private static func refuseAliasKeys(_ text: String, file: String) throws(ScenarioError) {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return }
        var line = 0
        for content in text.split(separator: "\n", omittingEmptySubsequences: false) {
            line += 1
            if content.contains(#/(^|[\s\[{,])(\*[^\s,\[\]{}]+\s*:(\s|$)|\?(\s|$))/#) {
                throw ScenarioError(
                    at: Place(file: file, line: line, column: 1),
                    "a key is a word; it cannot be an alias or `?`")
            }
        }
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
