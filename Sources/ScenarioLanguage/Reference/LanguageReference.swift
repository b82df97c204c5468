/// Every key of the scenario language, in the order of the shapes, each declared once.
package struct LanguageReference: Sendable {
    package struct Entry: Sendable {
        /// The keys that lead to it, joined by points; `*` is a name that the author chooses.
        package var path: String
        package var field: Field
        /// The keys of which one is beside it; empty if it does not depend on others.
        package var beside: [String]
        /// The entry that has the same keys inside; nil if they follow this one.
        package var sameAs: String?

        /// The default that the summary states; nil if it states none.
        package var stated: String? {
            guard let match = field.summary.firstMatch(of: #/(?:Default|[;,(:] ?default):? ((?:[^.;)]|\.[0-9])+)/#)
            else { return nil }
            return String(match.1)
        }

        /// The type, and `required` or the default, for people.
        package var facts: String {
            ([field.shape.type] + (field.required ? ["required"] : stated.map { ["default \($0)"] } ?? []))
                .joined(separator: "; ")
        }

        /// The remarks about other keys; empty if there are none.
        package var remarks: String {
            (beside.isEmpty ? "" : " Beside \(Self.list(beside)).") + (sameAs.map { " Its keys: see `\($0)`." } ?? "")
        }

        package var example: String { ShapeExample.line(of: self) }

        private static func list(_ keys: [String]) -> String {
            keys.map { "`\($0)`" }.joined(separator: ", ")
        }
    }

    package private(set) var entries: [Entry] = []
    /// The path at which each structure was declared, by its schema.
    private var declared: [String: String] = [:]

    package init(checks: [any WrittenCheck.Type]) { visit(ScenarioShape.root(checks: checks), at: "") }

    private mutating func visit(_ shape: Shape, at path: String) {
        switch shape {
        case .text, .word, .boolean, .integer, .duration, .bitRate, .byteCount, .probability, .anything: break
        case .list(let element), .oneOrMore(let element): visit(element, at: path)
        case .mapping(_, let element): visit(element, at: path + ".*")
        case .object(let fields): for field in fields { add(field, at: path, beside: []) }
        case .open(let fields, _, _, let element):
            for field in fields { add(field, at: path, beside: []) }
            visit(element, at: path + ".*")
        case .either(let shapes): for shape in shapes { visit(shape, at: path) }
        case .choice(let alternatives, let others):
            for field in alternatives { add(field, at: path, beside: []) }
            for field in others { add(field, at: path, beside: alternatives.map(\.name)) }
        }
    }

    private mutating func add(_ field: Field, at path: String, beside: [String]) {
        let path = path.isEmpty ? field.name : "\(path).\(field.name)"
        if let index = entries.firstIndex(where: { $0.path == path && $0.field.summary == field.summary }) {
            entries[index].beside += beside.filter { !entries[index].beside.contains($0) }
            return
        }
        var entry = Entry(path: path, field: field, beside: beside)
        guard field.shape.hasKeys else { return entries.append(entry) }
        let schema = SchemaPrinter.text(of: field.shape)
        entry.sameAs = declared[schema]
        entries.append(entry)
        guard entry.sameAs == nil else { return }
        declared[schema] = path
        visit(field.shape, at: path)
    }

    // MARK: - The page

    /// The page of the reference, as Markdown.
    package var page: String {
        var lines = [
            "# Reference of the scenario language", "",
            "Every key of a scenario file, with its type, its default, its meaning and an example. `*` in a path is a name that",
            "you choose: a path of the server, a host, a task. `crosswind explain WORD` prints the entries of one word,",
            "`crosswind explain FILE` the keys of a file. This page is printed by `crosswind reference`; do not edit it.",
        ]
        for entry in entries {
            if !entry.path.contains(".") { lines += ["", "## \(entry.path)", ""] }
            lines.append(
                "- **`\(entry.path)`** (\(entry.facts)). \(entry.field.summary)\(entry.remarks) Example: `\(entry.example)`"
            )
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension Shape {
    /// True for a structure whose keys the language declares.
    var hasKeys: Bool {
        switch self {
        case .text, .word, .boolean, .integer, .duration, .bitRate, .byteCount, .probability, .anything: false
        case .list(let element), .oneOrMore(let element), .mapping(_, let element): element.hasKeys
        case .either(let shapes): shapes.contains(where: \.hasKeys)
        case .object(let fields): !fields.isEmpty
        case .open, .choice: true
        }
    }

    /// The type in a few words; the keys of an object have entries of their own.
    var type: String {
        switch self {
        case .text: "text"
        case .word(let words): words.count == 1 ? "`\(words[0])`" : Spelling.list(words.map { "`\($0)`" })
        case .boolean: "true or false"
        case .integer: description
        case .duration: "duration"
        case .bitRate: "bit rate"
        case .byteCount: "number of bytes"
        case .probability: "probability"
        case .anything: "any value"
        case .list(let element): "list of: \(element.type)"
        case .oneOrMore(let element): "one or more of: \(element.type)"
        case .object, .open, .choice: "mapping"
        case .mapping(let key, let element): "mapping from \(key) to: \(element.type)"
        case .either(let shapes):
            shapes.map(\.type).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
                .joined(separator: ", or ")
        }
    }
}
