/// Reads a YAML tree according to a shape and collects all errors, not only the first.
struct ShapeReader {
    private(set) var errors: [ScenarioError] = []

    /// Reads one node; `what` names the value in messages: the key it belongs to.
    mutating func read(_ node: Document.Node, as shape: Shape, what: String) -> Value {
        switch shape {
        case .list(let element):
            guard case .list(let nodes, let place) = node else { return refuse(node, what, shape) }
            return readList(nodes, at: place, of: element, what: what)
        case .oneOrMore(let element):
            guard case .list(let nodes, let place) = node else { return read(node, as: element, what: what) }
            return readList(nodes, at: place, of: element, what: what)
        case .object(let fields):
            guard case .mapping(let pairs, let place) = node else { return refuse(node, what, shape) }
            return readObject(pairs, at: place, fields: fields, what: what)
        case .open(let fields, let key, let pattern, let element):
            guard case .mapping(let pairs, let place) = node else { return refuse(node, what, shape) }
            return readOpen(pairs, at: place, fields: fields, key: key, pattern: pattern, element: element, what: what)
        case .mapping(let key, let element):
            guard case .mapping(let pairs, let place) = node else { return refuse(node, what, shape) }
            return readOpen(pairs, at: place, fields: [], key: key, pattern: nil, element: element, what: what)
        case .choice(let alternatives, let beside):
            guard case .mapping(let pairs, let place) = node else { return refuse(node, what, shape) }
            return readChoice(pairs, at: place, alternatives: alternatives, beside: beside, what: what)
        case .anything:
            if case .scalar(let text, _, let place) = node { return .text(text, place) }
            return .list([], node.place)
        case .either(let shapes):
            return readEither(node, shapes, what: what)
        case .text, .word, .boolean, .integer, .duration, .bitRate, .byteCount, .probability:
            guard case .scalar(let text, let isPlain, let place) = node else { return refuse(node, what, shape) }
            return readScalar(text, isPlain: isPlain, at: place, as: shape, what: what)
        }
    }

    // MARK: Scalars

    private mutating func readScalar(_ text: String, isPlain: Bool, at place: Place, as shape: Shape, what: String)
        -> Value
    {
        if isPlain, text.isEmpty || text == "~" || text == "null" || text == "Null" || text == "NULL" {
            return refuse(place, "`\(what)` is empty; it takes \(shape.description)")
        }
        switch shape {
        case .text: return .text(text, place)
        case .word(let words):
            guard words.contains(text) else {
                if let new = RenamedWords.replacement(for: text, among: words) {
                    return refuse(place, "`\(what)`: `\(text)` was renamed to `\(new)`")
                }
                if let message = ForeignWords.message(for: text, among: words) {
                    return refuse(place, "`\(what)`: \(message)")
                }
                return refuse(place, "`\(what)` is `\(text.shortened)`\(Spelling.hint(for: text, among: words))")
            }
            return .text(text, place)
        case .boolean:
            guard isPlain, let value = Self.booleans[text] else {
                return refuse(place, "`\(what)` is `\(text.shortened)`; it takes true or false")
            }
            return .boolean(value, place)
        case .integer(let range):
            guard isPlain, Self.isInteger(text), let value = Int64(text) else {
                return refuse(
                    place, "`\(what)` is `\(text.shortened)`; it takes \(shape.description), without a unit or point")
            }
            guard range.contains(value) else {
                return refuse(place, "`\(what)` is \(value); it takes \(shape.description)")
            }
            return .integer(value, place)
        case .duration:
            return unit(text, what, place) { (text) throws(UnitParser.Problem) in
                .duration(try UnitParser.duration(text), place)
            }
        case .bitRate:
            return unit(text, what, place) { (text) throws(UnitParser.Problem) in
                .bitRate(try UnitParser.bitRate(text), place)
            }
        case .byteCount:
            return unit(text, what, place) { (text) throws(UnitParser.Problem) in
                .byteCount(try UnitParser.byteCount(text), place)
            }
        case .probability:
            return unit(text, what, place) { (text) throws(UnitParser.Problem) in
                .probability(try UnitParser.probability(text), place)
            }
        case .list, .oneOrMore, .object, .open, .mapping, .either, .choice, .anything:
            return refuse(place, "`\(what)` takes \(shape.description)")
        }
    }

    static let booleans = ["true": true, "True": true, "TRUE": true, "false": false, "False": false, "FALSE": false]

    private static func isInteger(_ text: String) -> Bool {
        let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : Substring(text)
        return !digits.isEmpty && digits.utf8.allSatisfy(UnitParser.isDigit)
    }

    private mutating func unit(
        _ text: String, _ what: String, _ place: Place, _ parse: (String) throws(UnitParser.Problem) -> Value
    ) -> Value {
        do {
            return try parse(text)
        } catch {
            return refuse(place, "`\(what)`: `\(text.shortened)` \(error.message)")
        }
    }

    // MARK: Lists and mappings

    private mutating func readList(_ nodes: [Document.Node], at place: Place, of element: Shape, what: String) -> Value
    {
        guard !nodes.isEmpty else {
            return refuse(place, "`\(what)` is an empty list; leave the key out or give it \(element.description)")
        }
        return .list(nodes.map { read($0, as: element, what: what) }, place)
    }

    private mutating func readObject(_ pairs: [Pair], at place: Place, fields: [Field], what: String) -> Value {
        var result = readFields(pairs, at: place, fields: fields, what: what)
        requireFields(fields, in: &result, what: what)
        return .mapping(result)
    }

    private mutating func readOpen(
        _ pairs: [Pair], at place: Place, fields: [Field], key: String, pattern: String?, element: Shape, what: String
    ) -> Value {
        var result = Fields(place: place, entries: [])
        for (keyNode, node) in pairs {
            guard let (name, keyPlace) = self.key(keyNode) else {
                result.isComplete = false
                continue
            }
            if let field = fields.first(where: { $0.name == name }) {
                result.entries.append(
                    .init(name: name, place: keyPlace, value: read(node, as: field.shape, what: name)))
            } else if let pattern, !KeyPattern.matches(name, pattern) {
                let known = fields.map(\.name)
                refuse(
                    keyPlace,
                    ForeignWords.message(for: name, among: known)
                        ?? "the key `\(name.shortened)` does not exist here\(Spelling.hint(for: name, among: known)), or \(key)"
                )
                result.isComplete = false
            } else {
                result.entries.append(.init(name: name, place: keyPlace, value: read(node, as: element, what: name)))
            }
        }
        requireFields(fields, in: &result, what: what)
        return .mapping(result)
    }

    private mutating func readChoice(
        _ pairs: [Pair], at place: Place, alternatives: [Field], beside: [Field], what: String
    )
        -> Value
    {
        let names = alternatives.map(\.name)
        let chosen = pairs.compactMap { key(of: $0.key) }.first(where: names.contains)
        var result = readFields(pairs, at: place, fields: alternatives + beside, what: chosen ?? what)
        let given = result.entries.filter { names.contains($0.name) }
        if given.count > 1 {
            let found = given.map { "`\($0.name)`" }.joined(separator: " and ")
            refuse(
                given[1].place, "\(found) exclude each other; `\(what)` takes exactly one of \(Spelling.list(names))")
            result.isComplete = false
        } else if given.isEmpty {
            // An unknown key has already been refused, with the nearest of these as a hint.
            if result.isComplete {
                refuse(place, "`\(what)` takes exactly one of \(Spelling.list(names)); it has none")
            }
            result.isComplete = false
        }
        requireFields(beside, in: &result, what: chosen ?? what)
        return .mapping(result)
    }

    private mutating func readFields(_ pairs: [Pair], at place: Place, fields: [Field], what: String) -> Fields {
        var result = Fields(place: place, entries: [])
        for (keyNode, node) in pairs {
            guard let (name, keyPlace) = key(keyNode) else {
                result.isComplete = false
                continue
            }
            guard let field = fields.first(where: { $0.name == name }) else {
                let known = fields.map(\.name)
                refuse(keyPlace, unknown(name, under: what, among: known))
                result.isComplete = false
                // A misspelt required key is one mistake, not an additional missing key.
                let missing = fields.filter(\.required).map(\.name)
                let meant =
                    RenamedWords.replacement(for: name, among: known) ?? Spelling.nearest(to: name, among: missing)
                let isForeign = meant == nil && ForeignWords.message(for: name, among: known) != nil
                let given = Set(pairs.compactMap { key(of: $0.key) })
                for field in missing where field == meant || (isForeign && !given.contains(field)) {
                    if !result.has(field) {
                        result.entries.append(.init(name: field, place: keyPlace, value: .refused(keyPlace)))
                    }
                }
                continue
            }
            result.entries.append(.init(name: name, place: keyPlace, value: read(node, as: field.shape, what: name)))
        }
        return result
    }

    private mutating func requireFields(_ fields: [Field], in result: inout Fields, what: String) {
        for field in fields where field.required && !result.has(field.name) {
            refuse(result.place, "`\(what)` has no `\(field.name)`: \(field.summary)")
            result.isComplete = false
        }
    }

    private func unknown(_ name: String, under what: String, among known: [String]) -> String {
        if let new = RenamedWords.replacement(for: name, among: known) { return "`\(name)` was renamed to `\(new)`" }
        if let advice = RenamedWords.advice(for: name, under: what) { return advice }
        if let message = ForeignWords.message(for: name, among: known) { return message }
        return "the key `\(name.shortened)` does not exist under `\(what)`\(Spelling.hint(for: name, among: known))"
    }

    private func key(of node: Document.Node) -> String? { if case .scalar(let name, _, _) = node { name } else { nil } }

    private mutating func key(_ node: Document.Node) -> (String, Place)? {
        guard case .scalar(let name, _, let place) = node, !name.isEmpty, !name.unicodeScalars.contains("\0") else {
            refuse(node.place, "a key is a word, not \(node.kind)")
            return nil
        }
        if name == "<<" {
            refuse(place, "merge keys (`<<`) are not supported; repeat the fields or use an alias for the whole value")
            return nil
        }
        return (name, place)
    }

    // MARK: Alternatives

    /// Reads the first alternative of the value's kind that matches without an error. If none does, reports the errors
    /// of the intended one: the one whose distinguishing key is present, otherwise the one with the fewest errors.
    private mutating func readEither(_ node: Document.Node, _ shapes: [Shape], what: String) -> Value {
        let suitable = shapes.flatMap(\.alternatives).filter { $0.accepts(node) }
        if suitable.isEmpty { return refuse(node, what, .either(shapes)) }
        if suitable.count == 1 { return read(node, as: suitable[0], what: what) }
        var attempts: [(value: Value, errors: [ScenarioError])] = []
        let meant = suitable.filter { $0.isAnnounced(by: node) }
        if meant.isEmpty, case .mapping(let pairs, let place) = node {
            // If no alternative is recognised, one message with all of them is better than those of an arbitrary one.
            let choices = suitable.compactMap(\.choices)
            if choices.count == suitable.count {
                return readUnrecognised(pairs, at: place, names: choices.flatMap(\.self), what: what)
            }
        }
        for shape in meant.isEmpty ? suitable : meant {
            var attempt = ShapeReader()
            let value = attempt.read(node, as: shape, what: what)
            if attempt.errors.isEmpty { return value }
            attempts.append((value, attempt.errors))
        }
        if case .mapping(let pairs, _) = node, let value = refuseRenamed(pairs, among: suitable, what: what) {
            return value
        }
        if case .scalar(let text, let isPlain, let place) = node {
            if isPlain, text.isEmpty {
                return refuse(place, "`\(what)` is empty; it takes \(Shape.either(suitable).description)")
            }
            let words = suitable.flatMap(\.wordList)
            if let message = ForeignWords.message(for: text, among: words) {
                return refuse(place, "`\(what)`: \(message)")
            }
            let hint = Spelling.nearest(to: text, among: words).map { "; did you mean `\($0)`?" } ?? ";"
            return refuse(
                place, "`\(what)` is `\(text.shortened)`\(hint) It takes \(Shape.either(suitable).description)")
        }
        guard let best = attempts.min(by: { $0.errors.count < $1.errors.count }) else {
            return refuse(node, what, .either(shapes))
        }
        errors += best.errors
        return best.value
    }

    /// Refuses a key that no alternative has and whose new name selects one. A key beside it, such as the `request` of
    /// `{ responseBody: 1KiB, request: 2 }`, may announce another alternative, which does not have the new name.
    private mutating func refuseRenamed(_ pairs: [Pair], among shapes: [Shape], what: String) -> Value? {
        let names = shapes.compactMap(\.choices).flatMap(\.self)
        let known = shapes.flatMap { shape -> [String] in
            if case .choice(let fields, let beside) = shape { (fields + beside).map(\.name) } else { [] }
        }
        for (node, _) in pairs {
            guard let name = key(of: node), !known.contains(name),
                RenamedWords.replacement(for: name, among: names) != nil
            else { continue }
            return refuse(node.place, unknown(name, under: what, among: names))
        }
        return nil
    }

    private mutating func readUnrecognised(_ pairs: [Pair], at place: Place, names: [String], what: String) -> Value {
        let keys = pairs.compactMap { pair in key(of: pair.key).map { ($0, pair.key.place) } }
        for (name, place) in keys {
            if RenamedWords.replacement(for: name, among: names) != nil
                || ForeignWords.message(for: name, among: names) != nil
            {
                return refuse(place, unknown(name, under: what, among: names))
            }
        }
        if let near = keys.first(where: { Spelling.nearest(to: $0.0, among: names) != nil }) ?? keys.first {
            return refuse(
                near.1,
                "the key `\(near.0.shortened)` does not exist under `\(what)`\(Spelling.hint(for: near.0, among: names))"
            )
        }
        return refuse(place, "`\(what)` is empty; it takes exactly one of \(Spelling.list(names))")
    }

    private typealias Pair = (key: Document.Node, value: Document.Node)

    @discardableResult
    private mutating func refuse(_ place: Place, _ message: String) -> Value {
        errors.append(ScenarioError(at: place, message))
        return .refused(place)
    }

    private mutating func refuse(_ node: Document.Node, _ what: String, _ shape: Shape) -> Value {
        if case .scalar(let text, true, let place) = node, text.isEmpty || text == "~" || text == "null" {
            return refuse(place, "`\(what)` is empty; it takes \(shape.description)")
        }
        return refuse(node.place, "`\(what)` is \(node.kind); it takes \(shape.description)")
    }
}

extension Document.Node {
    /// The name of the kind, for messages.
    var kind: String {
        switch self {
        case .scalar(let text, _, _): "`\(text.shortened)`"
        case .list: "a list"
        case .mapping: "a mapping"
        }
    }
}

extension String {
    /// The text shortened for messages: a value may be as long as the file.
    package var shortened: String { count <= 60 ? self : String(prefix(57)) + "…" }
}
