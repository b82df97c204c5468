/// An option of a session or a task, declared once: its key in scenario files, its field on the wire, the form of its
/// value, the capabilities that it needs, and its description.
package struct Setting<Root: Sendable>: Sendable {
    /// The key in a scenario file.
    package let name: String
    package let form: SettingForm
    package let summary: String
    /// Returns the capabilities that the value of this option needs; none for the default.
    package private(set) var needs: @Sendable (Root) -> Set<Capability>
    /// Assigns a value that a scenario file gives; a value of another form is ignored.
    package let assign: @Sendable (inout Root, SettingValue) -> Void
    let encode: @Sendable (Root, inout WireObject) -> Void
    let decode: @Sendable (inout Root, WireFields) throws(WireError) -> Void

    /// Declares an option that is nil by default.
    ///
    /// - Parameters:
    ///   - field: The field on the wire; nil: the same word as `name`.
    ///   - needs: The capabilities that a value needs, or, with `when`, that this value needs.
    init<Value: Equatable>(
        _ name: String, field: String? = nil, _ path: any WritableKeyPath<Root, Value?> & Sendable,
        _ codec: SettingCodec<Value>, needs: Set<Capability> = [], when: Value? = nil, _ summary: String
    ) {
        let field = field ?? name
        self.name = name
        self.form = codec.form
        self.summary = summary
        self.needs = { root in
            guard let value = root[keyPath: path], when == nil || value == when else { return [] }
            return needs
        }
        assign = { root, value in root[keyPath: path] = codec.read(value) }
        encode = { root, object in if let value = root[keyPath: path] { codec.encode(value, field, &object) } }
        decode = { (root, fields) throws(WireError) in
            if fields.has(field) { root[keyPath: path] = try codec.decode(fields, field) }
        }
    }

    /// Declares an option whose default is a value. The wire omits the default, unless the field is required.
    init<Value: Equatable>(
        _ name: String, field: String? = nil, _ path: any WritableKeyPath<Root, Value> & Sendable,
        _ codec: SettingCodec<Value>, default standard: Value, isRequired: Bool = false,
        needs: Set<Capability> = [], _ summary: String
    ) {
        let field = field ?? name
        self.name = name
        self.form = codec.form
        self.summary = summary
        self.needs = { $0[keyPath: path] == standard ? [] : needs }
        assign = { root, value in if let value = codec.read(value) { root[keyPath: path] = value } }
        encode = { root, object in
            let value = root[keyPath: path]
            if isRequired || value != standard { codec.encode(value, field, &object) }
        }
        decode = { (root, fields) throws(WireError) in
            if isRequired || fields.has(field) { root[keyPath: path] = try codec.decode(fields, field) }
        }
    }

    /// Returns the option with capabilities that depend on more than the presence of a value.
    func needing(_ needs: @escaping @Sendable (Root) -> Set<Capability>) -> Setting {
        var setting = self
        setting.needs = needs
        return setting
    }
}

/// The form of an option's value in a scenario file.
package enum SettingForm: Hashable, Sendable {
    case boolean
    /// Greater than zero.
    case duration
    case integer(ClosedRange<Int64>)
    case text
    /// A path of the origin, or a URL.
    case url
    case headers
    case word([String])
    /// One or more of these words.
    case words([String])
    /// An object, a list, or a choice between forms; the reader of scenario files knows it by this name.
    case structure(SettingStructure)
}

/// The options whose form is more than one value.
package enum SettingStructure: Hashable, Sendable {
    case delegateQueue, proxy, protocolClasses, cache, cookies, credentials
    case body, requestBody, caching, challenge, redirect
}

/// A value of an option, before its conversion to the property's type.
package enum SettingValue: Hashable, Sendable {
    case boolean(Bool)
    case duration(Duration)
    case integer(Int64)
    /// A text, a word or a complete URL.
    case text(String)
    case texts([String])
    case headers([HeaderField])
}

/// The conversions between a property's type, its value in a scenario file and its field on the wire.
struct SettingCodec<Value: Sendable>: Sendable {
    let form: SettingForm
    let read: @Sendable (SettingValue) -> Value?
    let encode: @Sendable (Value, String, inout WireObject) -> Void
    let decode: @Sendable (WireFields, String) throws(WireError) -> Value
}

extension SettingCodec<Bool> {
    static var boolean: SettingCodec {
        SettingCodec(
            form: .boolean, read: { if case .boolean(let value) = $0 { value } else { nil } },
            encode: { $2.set($1, $0) },
            decode: { (fields, name) throws(WireError) in try fields.boolean(name) })
    }

    /// The form of a property that only the word `none` makes false.
    static var unlessNone: SettingCodec {
        SettingCodec(
            form: .word(["none"]), read: { $0 == .text("none") ? false : nil }, encode: boolean.encode,
            decode: boolean.decode)
    }
}

extension SettingCodec<Duration> {
    static var duration: SettingCodec {
        SettingCodec(
            form: .duration, read: { if case .duration(let value) = $0 { value } else { nil } },
            encode: { $2.set($1, $0) },
            decode: { (fields, name) throws(WireError) in try fields.duration(name) })
    }
}

extension SettingCodec<Int> {
    static func integer(_ range: ClosedRange<Int64>) -> SettingCodec {
        SettingCodec(
            form: .integer(range), read: { if case .integer(let value) = $0 { Int(clamping: value) } else { nil } },
            encode: { $2.set($1, Int64($0)) },
            decode: { (fields, name) throws(WireError) in try fields.count(name) })
    }
}

extension SettingCodec<String> {
    static var text: SettingCodec { text(.text) }
    static var url: SettingCodec { text(.url) }

    private static func text(_ form: SettingForm) -> SettingCodec {
        SettingCodec(
            form: form, read: { if case .text(let value) = $0 { value } else { nil } }, encode: { $2.set($1, $0) },
            decode: { (fields, name) throws(WireError) in try fields.text(name) })
    }
}

extension SettingCodec<[HeaderField]> {
    static var headers: SettingCodec {
        SettingCodec(
            form: .headers, read: { if case .headers(let value) = $0 { value } else { nil } },
            encode: { $2.set($1, headers: $0) },
            decode: { (fields, name) throws(WireError) in try fields.optional(name, fields.headers) ?? [] })
    }
}

extension SettingCodec where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    static var word: SettingCodec {
        SettingCodec(
            form: .word(Value.allCases.map { $0.rawValue }),
            read: { if case .text(let text) = $0 { Value(rawValue: text) } else { nil } },
            encode: { $2.set($1, $0.rawValue) },
            decode: { (fields, name) throws(WireError) in try fields.word(name, Value.self) })
    }
}

extension SettingCodec {
    /// A set of words.
    ///
    /// - Parameter offered: The words that a scenario file may use; the wire takes all of them.
    static func words<Word>(_ offered: [Word] = Array(Word.allCases)) -> SettingCodec
    where
        Value == Set<Word>, Word: RawRepresentable & CaseIterable & Hashable & Sendable, Word.RawValue == String
    {
        SettingCodec(
            form: .words(offered.map(\.rawValue)),
            read: { if case .texts(let texts) = $0 { Set(texts.compactMap { Word(rawValue: $0) }) } else { nil } },
            encode: { words, name, object in
                object.set(name, list: Word.allCases.filter(words.contains).map { .text($0.rawValue) })
            },
            decode: { (fields, name) throws(WireError) in
                var words: Set<Word> = []
                for item in try fields.list(name) {
                    guard let text = item.text else {
                        throw .wrongType(name, in: fields.kind, expected: "list of texts")
                    }
                    guard let word = Word(rawValue: text) else {
                        throw .unknownValue(text, field: name, allowed: Word.allCases.map { $0.rawValue })
                    }
                    words.insert(word)
                }
                return words
            })
    }

    /// A value whose fields on the wire are written and read by these functions; the reader of scenario files assigns it.
    static func structure(
        _ structure: SettingStructure, encode: @escaping @Sendable (Value, String, inout WireObject) -> Void,
        decode: @escaping @Sendable (WireFields, String) throws(WireError) -> Value
    ) -> SettingCodec {
        SettingCodec(form: .structure(structure), read: { _ in nil }, encode: encode, decode: decode)
    }
}

/// A value with fields of its own on the wire.
protocol WireStructure: Sendable {
    var wire: WireObject { get }
    init(_ fields: WireFields) throws(WireError)
}

extension SettingCodec where Value: WireStructure {
    static func object(_ structure: SettingStructure) -> SettingCodec {
        .structure(
            structure, encode: { $2.set($1, $0.wire) },
            decode: { (fields, name) throws(WireError) in try Value(fields.object(name)) })
    }
}

extension SettingCodec {
    static func objects<Element: WireStructure>(_ structure: SettingStructure) -> SettingCodec
    where Value == [Element] {
        .structure(
            structure,
            encode: { elements, name, object in object.set(name, list: elements.map { .object($0.wire.values) }) },
            decode: { (fields, name) throws(WireError) in
                var elements: [Element] = []
                for item in try fields.list(name) {
                    guard let values = item.object else {
                        throw .wrongType(name, in: fields.kind, expected: "list of objects")
                    }
                    elements.append(try Element(WireFields(kind: "\(fields.kind).\(name)", values: values)))
                }
                return elements
            })
    }
}

extension Array {
    /// Returns the capabilities that the values of these options need.
    package func needs<Root>(_ root: Root) -> Set<Capability> where Element == Setting<Root> {
        reduce(into: []) { $0.formUnion($1.needs(root)) }
    }

    func encode<Root>(_ root: Root, into object: inout WireObject) where Element == Setting<Root> {
        for setting in self { setting.encode(root, &object) }
    }

    func decode<Root>(_ fields: WireFields, into root: inout Root) throws(WireError)
    where Element == Setting<Root> {
        for setting in self { try setting.decode(&root, fields) }
    }
}
