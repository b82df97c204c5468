import AdapterProtocol

/// Prints the scenario language as a JSON Schema (draft 2020-12), for completion and validation in editors.
package struct SchemaPrinter {
    package static func schema(checks: [any WrittenCheck.Type]) -> String {
        let shape = ScenarioShape.root(checks: checks)
        let open = ScenarioShape.rootWithReferences(checks: checks)
        var counter = SchemaPrinter()
        _ = counter.keywords(of: shape) + counter.keywords(of: open)
        var printer = SchemaPrinter()
        printer.repeated = Set(counter.occurrences.filter { $0.value > 1 && $0.key.utf8.count > 300 }.keys)
        // With a table of parameters any value may be a reference, whose shape only its row knows.
        let root: [(String, OrderedJSON)] = [
            ("if", .object([("required", .array([.string(ParameterTable.key)]))])),
            ("then", .object(printer.keywords(of: open))), ("else", .object(printer.keywords(of: shape))),
        ]
        return OrderedJSON.object(
            [
                ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
                ("title", .string("Crosswind scenario")),
            ] + root + [("$defs", .object(printer.definitions))]
        ).written(shortest: 0) + "\n"
    }

    /// Returns the schema of one shape, without references.
    static func text(of shape: Shape) -> String {
        var plain = SchemaPrinter()
        plain.isPlain = true
        return OrderedJSON.object(plain.keywords(of: shape)).written(shortest: 0)
    }

    /// The number of occurrences of each field's schema, keyed by its text; the first pass counts, the second writes
    /// repeated ones once.
    private var occurrences: [String: Int] = [:]
    /// If true, everything is written out, without counting or references.
    private var isPlain = false
    private var repeated: Set<String> = []
    private var definitions: [(String, OrderedJSON)] = []
    private var names: [String: String] = [:]

    /// A bare `true`, `5` or `1.2` in YAML is text to the reader but not to a schema, so the schema accepts all scalars
    /// as text.
    private static let scalarTypes = OrderedJSON.array([.string("string"), .string("number"), .string("boolean")])

    private mutating func keywords(of shape: Shape) -> [(String, OrderedJSON)] {
        switch shape {
        case .text: return [("type", Self.scalarTypes)]
        case .word(let words): return [("enum", .array(words.flatMap(Self.literals)))]
        case .boolean: return [("type", .string("boolean"))]
        case .integer(let range):
            var keywords: [(String, OrderedJSON)] = [("type", .string("integer"))]
            if range.lowerBound != .min { keywords.append(("minimum", .integer(range.lowerBound))) }
            if range.upperBound != .max { keywords.append(("maximum", .integer(range.upperBound))) }
            return keywords
        case .duration:
            return Self.pattern(UnitParser.pattern(UnitParser.durations), examples: ["20ms", "1.5s", "2min"])
        case .bitRate: return Self.pattern(UnitParser.pattern(UnitParser.rates), examples: ["1.5Mbit/s", "240kbit/s"])
        case .byteCount:
            return Self.anyOf([
                .object(Self.pattern(UnitParser.pattern(UnitParser.byteCounts), examples: ["64KiB", "1MiB"])),
                .object([
                    ("type", .string("integer")), ("minimum", .integer(0)), ("maximum", .integer(UnitParser.largest)),
                ]),
            ])
        case .probability:
            return Self.anyOf([
                .object(Self.pattern(UnitParser.probabilityPattern, examples: ["2%"])),
                .object([("type", .string("number")), ("minimum", .integer(0)), ("maximum", .integer(1))]),
            ])
        case .anything: return []
        case .list(let element): return list(of: element)
        case .oneOrMore(let element): return Self.anyOf([.object(keywords(of: element)), .object(list(of: element))])
        case .object(let fields): return object(fields, required: fields) + [("additionalProperties", .bool(false))]
        case .open(let fields, _, let pattern, let element):
            return object(fields, required: fields) + [
                ("patternProperties", .object([(pattern, .object(keywords(of: element)))])),
                ("additionalProperties", .bool(false)),
            ]
        case .mapping(let key, let element):
            return [
                ("type", .string("object")), ("description", .string("Keys: \(key).")),
                ("additionalProperties", .object(keywords(of: element))),
            ]
        case .either(let shapes): return Self.anyOf(shapes.map { shape in .object(keywords(of: shape)) })
        case .choice(let alternatives, let beside):
            return object(alternatives + beside, required: beside) + [
                ("additionalProperties", .bool(false)),
                ("oneOf", .array(alternatives.map { .object([("required", .array([.string($0.name)]))]) })),
            ]
        }
    }

    private static func anyOf(_ schemas: [OrderedJSON]) -> [(String, OrderedJSON)] { [("anyOf", .array(schemas))] }

    private mutating func list(of element: Shape) -> [(String, OrderedJSON)] {
        [("type", .string("array")), ("minItems", .integer(1)), ("items", .object(keywords(of: element)))]
    }

    private static func pattern(_ pattern: String, examples: [String]) -> [(String, OrderedJSON)] {
        [
            ("type", .string("string")), ("pattern", .string(pattern)),
            ("examples", .array(examples.map { .string($0) })),
        ]
    }

    private mutating func object(_ fields: [Field], required: [Field]) -> [(String, OrderedJSON)] {
        var properties: [(String, OrderedJSON)] = []
        for field in fields {
            let keywords = property(field.shape, named: field.name).filter { $0.0 != "description" }
            properties.append((field.name, .object([("description", .string(field.summary))] + keywords)))
        }
        let names = required.filter(\.required).map { OrderedJSON.string($0.name) }
        return [("type", .string("object")), ("properties", .object(properties))]
            + (names.isEmpty ? [] : [("required", .array(names))])
    }

    /// Returns a reference if the same schema occurs in several places.
    private mutating func property(_ shape: Shape, named name: String) -> [(String, OrderedJSON)] {
        if isPlain { return keywords(of: shape) }
        let text = Self.text(of: shape)
        occurrences[text, default: 0] += 1
        guard repeated.contains(text) else { return keywords(of: shape) }
        if names[text] == nil {
            let taken = Set(names.values)
            let unique =
                taken.contains(name) ? (2...).lazy.map { "\(name)\($0)" }.first { !taken.contains($0) } ?? name : name
            names[text] = unique
            let definition = OrderedJSON.object(keywords(of: shape))
            definitions.append((unique, definition))
        }
        return [("$ref", .string("#/$defs/\(names[text] ?? name)"))]
    }

    /// Returns the JSON literals of a word: `1.2` without quotes is a number to a schema.
    private static func literals(_ word: String) -> [OrderedJSON] {
        let isNumber = word.utf8.allSatisfy { UnitParser.isDigit($0) || $0 == UInt8(ascii: ".") } && Double(word) != nil
        return isNumber ? [.string(word), .number(word)] : [.string(word)]
    }
}
