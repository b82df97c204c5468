/// The description of a shape for messages, and the choice of the alternative that a value is meant for.
extension Shape {
    var description: String {
        switch self {
        case .text: "a text"
        case .word(let words): words.count == 1 ? "`\(words[0])`" : "one of \(Spelling.list(words))"
        case .boolean: "true or false"
        case .integer(let range):
            switch (range.lowerBound, range.upperBound) {
            case (.min, .max): "a whole number"
            case (let low, .max): "a whole number from \(low)"
            case (.min, let high): "a whole number up to \(high)"
            case (let low, let high): "a whole number from \(low) to \(high)"
            }
        case .duration: "a duration such as 20ms or 1.5s"
        case .bitRate: "a rate such as 1.5Mbit/s"
        case .byteCount: "a number of bytes such as 64KiB"
        case .probability: "a probability such as 2% or 0.02"
        case .anything: "any value"
        case .list(let element): "a list of \(element.description)"
        case .oneOrMore(let element): "\(element.description), or a list of them"
        case .object(let fields): "a mapping with \(Spelling.list(fields.map(\.name)))"
        case .open(let fields, let key, _, _): "a mapping with \(Spelling.list(fields.map(\.name))) or \(key)"
        case .mapping(let key, let element): "a mapping from \(key) to \(element.description)"
        case .either(let shapes): shapes.map(\.description).joined(separator: "; or ")
        case .choice(let fields, _): "a mapping with exactly one of \(Spelling.list(fields.map(\.name)))"
        }
    }

    /// The alternatives of this shape, with nested `either` flattened.
    var alternatives: [Shape] {
        switch self {
        case .either(let shapes): shapes.flatMap(\.alternatives)
        case .oneOrMore(let element): [.list(element)] + element.alternatives
        case .text, .word, .boolean, .integer, .duration, .bitRate, .byteCount, .probability, .anything, .list, .object,
            .open,
            .mapping,
            .choice:
            [self]
        }
    }

    /// Compares only the kind: scalar, list or mapping.
    func accepts(_ node: Document.Node) -> Bool {
        switch (self, node) {
        case (.text, .scalar), (.word, .scalar), (.boolean, .scalar), (.integer, .scalar), (.duration, .scalar),
            (.bitRate, .scalar),
            (.byteCount, .scalar), (.probability, .scalar), (.list, .list), (.object, .mapping), (.open, .mapping),
            (.mapping, .mapping), (.choice, .mapping), (.anything, _):
            true
        case (.either, _), (.oneOrMore, _): alternatives.contains { $0.accepts(node) }
        case (.text, _), (.word, _), (.boolean, _), (.integer, _), (.duration, _), (.bitRate, _), (.byteCount, _),
            (.probability, _),
            (.list, _), (.object, _), (.open, _), (.mapping, _), (.choice, _):
            false
        }
    }

    /// The keys of which exactly one selects the alternative.
    var choices: [String]? { if case .choice(let fields, _) = self { fields.map(\.name) } else { nil } }

    /// Returns true if the node has a key that only this alternative has.
    func isAnnounced(by node: Document.Node) -> Bool {
        guard let choices, case .mapping(let pairs, _) = node else { return false }
        return pairs.contains { if case .scalar(let name, _, _) = $0.key { choices.contains(name) } else { false } }
    }

    var wordList: [String] { if case .word(let words) = self { words } else { [] } }
}

extension Shape {
    /// Returns true if a mapping of this shape has the language's fields, not keys chosen by the author.
    func isObject(for fields: Fields) -> Bool {
        alternatives.contains { shape in
            switch shape {
            case .object(let known), .open(let known, _, _, _):
                fields.entries.allSatisfy { entry in known.contains { $0.name == entry.name } }
            case .choice(let known, let beside):
                fields.entries.allSatisfy { entry in (known + beside).contains { $0.name == entry.name } }
            case .text, .word, .boolean, .integer, .duration, .bitRate, .byteCount, .probability, .anything, .list,
                .oneOrMore, .mapping,
                .either:
                false
            }
        }
    }
}
