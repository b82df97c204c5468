/// A key of one scenario file, with its value and the meaning that the language gives it.
package struct KeyValue: Hashable, Sendable {
    /// The keys that lead to it, joined by points, with the author's own names.
    package var path: String
    package var line: Int
    /// The value of a scalar, or of a list of scalars; empty for a structure, whose keys follow.
    package var value: String
    package var meaning: String

    /// Returns the keys of a valid file in its order; with a table of parameters those of the first row.
    package static func all(file: String, text: String, checks: [any WrittenCheck.Type]) throws(ScenarioError)
        -> [KeyValue]
    {
        let root = try Document(file: file, text: text).root
        var findings = Findings()
        let table = ParameterTable(root, &findings)
        var walk = Walk()
        if let parameters = root.pairs.first(where: { $0.key.text == ParameterTable.key }) {
            walk.add(ParameterTable.field, parameters.key, parameters.value, at: "")
        }
        walk.visit(table.expand(root, &findings).first?.root ?? root, as: ScenarioShape.root(checks: checks), at: "")
        return walk.keys
    }

    private struct Walk {
        var keys: [KeyValue] = []

        mutating func visit(_ node: Document.Node, as shape: Shape, at path: String) {
            guard let shape = Self.meant(shape, by: node) else { return }
            switch shape {
            case .text, .word, .boolean, .integer, .duration, .bitRate, .byteCount, .probability, .anything, .either,
                .oneOrMore:
                break
            case .list(let element): for node in node.elements { visit(node, as: element, at: path) }
            case .mapping(_, let element):
                for pair in node.pairs { visit(pair.value, as: element, at: join(path, pair.key.text)) }
            case .object(let fields): visit(node, fields, at: path, others: nil)
            case .open(let fields, _, _, let element): visit(node, fields, at: path, others: element)
            case .choice(let alternatives, let beside): visit(node, alternatives + beside, at: path, others: nil)
            }
        }

        private mutating func visit(_ node: Document.Node, _ fields: [Field], at path: String, others: Shape?) {
            for pair in node.pairs {
                if let field = fields.first(where: { $0.name == pair.key.text }) {
                    add(field, pair.key, pair.value, at: path)
                } else if let others {
                    visit(pair.value, as: others, at: join(path, pair.key.text))
                }
            }
        }

        mutating func add(_ field: Field, _ key: Document.Node, _ node: Document.Node, at path: String) {
            let path = join(path, field.name)
            keys.append(
                KeyValue(path: path, line: key.place.line, value: Self.value(of: node), meaning: field.summary))
            visit(node, as: field.shape, at: path)
        }

        private func join(_ path: String, _ key: String?) -> String {
            path.isEmpty ? key ?? "" : "\(path).\(key ?? "")"
        }

        private static func value(of node: Document.Node) -> String {
            switch node {
            case .scalar(let text, _, _): text.replacing("\r", with: "\\r").replacing("\n", with: "\\n").shortened
            case .list(let nodes, _):
                nodes.contains { $0.text == nil } ? "" : nodes.compactMap(\.text).joined(separator: ", ")
            case .mapping: ""
            }
        }

        /// Returns the alternative that the reader uses for the node: the first without an error.
        private static func meant(_ shape: Shape, by node: Document.Node) -> Shape? {
            let suitable = shape.alternatives.filter { $0.accepts(node) }
            if suitable.count < 2 { return suitable.first }
            return suitable.first { shape in
                var reader = ShapeReader()
                _ = reader.read(node, as: shape, what: "")
                return reader.errors.isEmpty
            }
        }
    }
}
