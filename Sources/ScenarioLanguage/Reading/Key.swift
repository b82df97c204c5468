import AdapterProtocol

/// A key of an object, declared once: its shape, its description and the property that takes its value.
struct Key<Root>: Sendable {
    let field: Field
    /// Assigns the value of the key, if the object has one.
    let read: @Sendable (Fields, inout Root, inout Findings) -> Void

    /// Declares a key whose value needs more than a conversion. `read` is called if the object has the key.
    init(
        _ name: String, _ shape: Shape, required: Bool = false, _ summary: String,
        read: @escaping @Sendable (Fields, inout Root, inout Findings) -> Void
    ) {
        field = Field(name, shape, required: required, summary)
        self.read = { if $0.has(name) { read($0, &$1, &$2) } }
    }

    /// - Parameter shape: The shape; nil: the usual one of the type.
    init<Content: Readable>(
        _ name: String, _ path: any WritableKeyPath<Root, Content> & Sendable, as shape: Shape? = nil,
        required: Bool = false, _ summary: String
    ) {
        self.init(name, shape ?? Content.shape, required: required, summary) { fields, root, _ in
            if let content = fields.value(name).flatMap(Content.init(reading:)) { root[keyPath: path] = content }
        }
    }

    init<Word: RawRepresentable & CaseIterable & SendableMetatype>(
        _ name: String, _ path: any WritableKeyPath<Root, Word> & Sendable, _ summary: String
    ) where Word.RawValue == String {
        self.init(name, .word(Word.allCases.map { $0.rawValue }), summary) { fields, root, _ in
            if let word = fields.text(name).flatMap(Word.init(rawValue:)) { root[keyPath: path] = word }
        }
    }

    init<Word: RawRepresentable & CaseIterable & SendableMetatype>(
        _ name: String, _ path: any WritableKeyPath<Root, Word?> & Sendable, _ summary: String
    ) where Word.RawValue == String {
        self.init(name, .word(Word.allCases.map { $0.rawValue }), summary) { fields, root, _ in
            root[keyPath: path] = fields.text(name).flatMap(Word.init(rawValue:))
        }
    }

    init(_ name: String, _ path: any WritableKeyPath<Root, [HeaderField]> & Sendable, _ summary: String) {
        self.init(name, .headers, summary) { fields, root, findings in
            root[keyPath: path] = findings.headers(name, of: fields)
        }
    }

    /// Declares a key whose property is true when the value is false.
    init(_ name: String, unless path: any WritableKeyPath<Root, Bool> & Sendable, _ summary: String) {
        self.init(name, .boolean, summary) { fields, root, _ in root[keyPath: path] = fields.boolean(name) == false }
    }
}

extension Array {
    func fields<Root>() -> [Field] where Element == Key<Root> { map(\.field) }

    func read<Root>(_ fields: Fields, into root: inout Root, _ findings: inout Findings) where Element == Key<Root> {
        for key in self { key.read(fields, &root, &findings) }
    }
}

/// A type with one shape in scenario files.
protocol Readable: SendableMetatype {
    static var shape: Shape { get }
    /// Returns nil for a refused value.
    init?(reading value: Value)
}

extension Bool: Readable {
    static var shape: Shape { .boolean }
    init?(reading value: Value) { if let content = value.boolean { self = content } else { return nil } }
}

extension String: Readable {
    static var shape: Shape { .text }
    init?(reading value: Value) { if let content = value.text { self = content } else { return nil } }
}

extension Int64: Readable {
    static var shape: Shape { .integer(.min ... .max) }
    init?(reading value: Value) { if let content = value.integer { self = content } else { return nil } }
}

/// A count; most have a narrower range than their shape here.
extension Int: Readable {
    static var shape: Shape { .integer(1...1_000_000) }
    init?(reading value: Value) { if let content = value.integer { self = Int(clamping: content) } else { return nil } }
}

extension Duration: Readable {
    static var shape: Shape { .duration }
    init?(reading value: Value) { if let content = value.duration { self = content } else { return nil } }
}

extension ByteCount: Readable {
    static var shape: Shape { .byteCount }
    init?(reading value: Value) { if let content = value.byteCount { self = content } else { return nil } }
}

extension Optional: Readable where Wrapped: Readable {
    static var shape: Shape { Wrapped.shape }
    init?(reading value: Value) { self = Wrapped(reading: value) }
}
