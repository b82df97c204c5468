/// The allowed form of a value in a scenario file. The reader, the JSON Schema and the messages all use it, so that
/// they cannot disagree.
package indirect enum Shape: Sendable {
    case text
    /// One of these words.
    case word([String])
    case boolean
    case integer(ClosedRange<Int64>)
    /// `20ms`, `1.5s`, `2min`, `3h`.
    case duration
    /// `1.5Mbit/s`, `240kbit/s`.
    case bitRate
    /// `64KiB`, `1MiB`, `500B`, or a plain number of bytes.
    case byteCount
    /// `2%` or `0.02`.
    case probability
    /// Any value; a table of parameters uses it for values whose places determine their shapes.
    case anything
    case list(Shape)
    /// A single value or a list of them.
    case oneOrMore(Shape)
    case object([Field])
    /// A mapping with keys chosen by the author; `key` describes them.
    case mapping(key: String, Shape)
    /// An object that has, in addition to its fields, keys chosen by the author; those match `pattern` (an ECMA regular
    /// expression).
    case open([Field], key: String, pattern: String, Shape)
    /// The first shape that matches the kind of the value (scalar, list, mapping).
    case either([Shape])
    /// A mapping with exactly one of these keys (plus the fields in `beside`); each key is one alternative.
    case choice([Field], beside: [Field])
}

/// One key of an object.
package struct Field: Sendable {
    package var name: String
    package var shape: Shape
    package var required: Bool
    package var summary: String
    /// True if a scenario with a single task may leave the key out, which then names that task.
    package var defaultsToOnlyTask = false
    package init(_ name: String, _ shape: Shape, required: Bool = false, _ summary: String) {
        self.name = name
        self.shape = shape
        self.required = required
        self.summary = summary
    }
}

extension Shape {
    /// Header fields: names with one or more values each.
    static let headers = Shape.mapping(key: "header names", .oneOrMore(.text))
}

extension Field {
    /// The task that a check is about.
    package static let task: Field = {
        var field = Field("task", .text, "The name of the task; default: the only task of the scenario.")
        field.defaultsToOnlyTask = true
        return field
    }()

    /// Header fields to compare with those of a message.
    package static let expectedHeaders = Field(
        "headers", .mapping(key: "header names", .text), "Header fields: a value, or `present`, or `absent`.")
}
