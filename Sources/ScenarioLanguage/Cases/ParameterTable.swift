/// The table under `parameters:`: each row is one run of the scenario with the row's values.
///
/// A plain scalar `$key` is replaced by the row's value, which may be any YAML value. In quotes it is text.
struct ParameterTable {
    struct Row {
        var name: String
        var place: Place
        var values: [Document.Node.Pair]
        func value(_ key: String) -> Document.Node? { values.first { $0.key.text == key }?.value }
    }

    static let key = "parameters"
    static let field = Field(
        key,
        .list(
            .open(
                [Field("name", .text, required: true, "The row's name; the run is ID[NAME].")],
                key: "a key whose value stands for `$key`", pattern: KeyPattern.parameter, .anything)),
        "Rows of values; the scenario runs once for each row, with its values in place of `$key`.")

    private(set) var rows: [Row] = []

    /// Reads the table; the rows that can be used remain if there are errors.
    init(_ root: Document.Node, _ findings: inout Findings) {
        guard let table = root[Self.key] else { return }
        var reader = ShapeReader()
        _ = reader.read(table, as: Self.field.shape, what: Self.key)
        findings.add(reader.errors)
        for element in table.elements {
            guard let name = element["name"] else { continue }
            guard let text = name.text, VariantID.isName(text) else {
                findings.refuse(name.place, "a row's name has letters, digits, dots, hyphens and underscores only")
                continue
            }
            if let other = rows.first(where: { $0.name == text }) {
                findings.refuse(
                    name.place, "line \(other.place.line) has a row `\(text)` already; name one differently")
                continue
            }
            rows.append(Row(name: text, place: element.place, values: element.pairs))
        }
    }

    /// Returns the scenario with the values of each row in place of the references, or itself without a table.
    func expand(_ root: Document.Node, _ findings: inout Findings) -> [(row: String?, root: Document.Node)] {
        let written = root.pairs.filter { $0.key.text != Self.key }
        guard root[Self.key] != nil else { return [(nil, root)] }
        var substitution = Substitution(keys: Set(rows.flatMap { $0.values.compactMap(\.key.text) }))
        let expanded = rows.map { row in
            (row: Optional(row.name), root: substitution.root(.mapping(written, root.place), row))
        }
        findings.add(substitution.findings.errors)
        var reported: Set<String> = []
        for key in rows.flatMap({ $0.values.map(\.key) }) {
            guard let text = key.text, text != "name", !substitution.used.contains(text),
                reported.insert(text).inserted
            else { continue }
            findings.refuse(
                key.place, "nothing uses the value `\(text)`; write `$\(text)` where it belongs, or remove it")
        }
        return expanded
    }

    private struct Substitution {
        /// Every key that a row has.
        let keys: Set<String>
        var used: Set<String> = []
        var findings = Findings()

        mutating func root(_ node: Document.Node, _ row: Row) -> Document.Node {
            switch node {
            case .scalar(let text, isPlain: true, let place) where text.contains("$"):
                return scalar(node, text, place, row)
            case .scalar: return node
            case .list(let elements, let place): return .list(elements.map { root($0, row) }, place)
            case .mapping(let pairs, let place):
                for pair in pairs {
                    guard case .scalar(let text, isPlain: true, let place) = pair.key, text.first == "$" else {
                        continue
                    }
                    findings.refuse(place, "`\(text.shortened)` is a key; only a value can be a reference")
                }
                return .mapping(pairs.map { (key: $0.key, value: root($0.value, row)) }, place)
            }
        }

        private mutating func scalar(_ node: Document.Node, _ text: String, _ place: Place, _ row: Row)
            -> Document.Node
        {
            guard text.first == "$", HTTPHeadSyntax.isName(String(text.dropFirst())) else {
                if let key = keys.first(where: { Self.mentions($0, in: text) }) {
                    findings.refuse(
                        place,
                        "`$\(key)` stands inside a text; a reference is a whole value, and text with a `$` stands in quotes"
                    )
                }
                return node
            }
            let key = String(text.dropFirst())
            if let value = row.value(key) {
                used.insert(key)
                return value
            }
            if keys.contains(key) {
                used.insert(key)
                findings.refuse(
                    row.place, "the row `\(row.name)` lacks a value for `\(key)`, which line \(place.line) uses")
            } else {
                findings.refuse(
                    place, "no row has a value `\(key)`\(Spelling.hint(for: key, among: keys.sorted()))")
            }
            return node
        }

        /// Returns true if `$key` stands in the text and is not the start of a longer name.
        private static func mentions(_ key: String, in text: String) -> Bool {
            text.split(separator: "$", omittingEmptySubsequences: false).dropFirst().contains { part in
                part.hasPrefix(key)
                    && !(part.dropFirst(key.count).first.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false)
            }
        }
    }
}
