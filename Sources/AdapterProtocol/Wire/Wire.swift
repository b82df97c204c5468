/// Version 2 of the adapter protocol: one JSON object per line, encoded and decoded by hand. `AdapterProtocol.docc` has
/// the grammar.
package enum Wire {
    package static let version = 2
    /// The maximum number of file bytes in one `fileContent` event.
    package static let filePiece = 64 * 1024
    /// The maximum number of body bytes in one `didReceiveData` event; a larger piece is reported in several events, so
    /// that every line stays within the limit of `LineReader`.
    package static let dataPiece = 4 * 1024 * 1024

    /// Returns the beginning of a line, for messages.
    package static func excerpt(of line: [UInt8]) -> String {
        let text = String(decoding: line.prefix(200), as: UTF8.self)
        return line.count > 200 ? text + "…" : text
    }
}

/// The fields of one line, read strictly.
struct WireFields {
    let kind: String
    private let values: [String: JSONValue]

    /// Decodes a line, which must be an object of this version.
    static func open(_ line: [UInt8], naming key: String) throws(WireError) -> WireFields {
        guard let values = JSONValue.parse(line)?.object else {
            throw .notJSON(excerpt: Wire.excerpt(of: line))
        }
        guard values["v"]?.integer == Int64(Wire.version) else {
            throw .wrongVersion(found: values["v"].map { $0.line } ?? "none", supported: Wire.version)
        }
        guard let kind = values[key]?.text else { throw .missingField(key, in: "a line") }
        return WireFields(kind: kind, values: values)
    }

    init(kind: String, values: [String: JSONValue]) {
        self.kind = kind
        self.values = values
    }

    /// Returns true if the field is present; null counts as absent.
    func has(_ name: String) -> Bool { values[name] != nil && values[name] != .null }

    func value(_ name: String) throws(WireError) -> JSONValue {
        guard let value = values[name], value != .null else { throw .missingField(name, in: kind) }
        return value
    }

    func text(_ name: String) throws(WireError) -> String {
        guard let text = try value(name).text else { throw .wrongType(name, in: kind, expected: "text") }
        return text
    }

    func integer(_ name: String) throws(WireError) -> Int64 {
        guard let integer = try value(name).integer else { throw .wrongType(name, in: kind, expected: "whole number") }
        return integer
    }

    /// Returns a count: a whole number that is not negative.
    func count(_ name: String) throws(WireError) -> Int {
        let value = try integer(name)
        guard value >= 0, let count = Int(exactly: value) else {
            throw .wrongType(name, in: kind, expected: "number of at least 0")
        }
        return count
    }

    func boolean(_ name: String) throws(WireError) -> Bool {
        guard let boolean = try value(name).boolean else { throw .wrongType(name, in: kind, expected: "true or false") }
        return boolean
    }

    func optional<Value>(
        _ name: String, _ read: (String) throws(WireError) -> Value
    ) throws(WireError) -> Value? {
        has(name) ? try read(name) : nil
    }

    /// Returns a duration, written in seconds as a decimal number.
    func duration(_ name: String) throws(WireError) -> Duration {
        guard let seconds = try value(name).number, seconds >= 0, seconds < 1e9 else {
            throw .wrongType(name, in: kind, expected: "number of seconds")
        }
        return .nanoseconds(Int64((seconds * 1e9).rounded()))
    }

    func number(_ name: String) throws(WireError) -> Double {
        guard let number = try value(name).number else { throw .wrongType(name, in: kind, expected: "number") }
        return number
    }

    /// Returns a number from 0 to 1.
    func fraction(_ name: String) throws(WireError) -> Double {
        guard let number = try value(name).number, (0...1).contains(number) else {
            throw .wrongType(name, in: kind, expected: "number from 0 to 1")
        }
        return number
    }

    func bytes(_ name: String) throws(WireError) -> [UInt8] {
        guard let bytes = Base64.decode(try text(name)) else { throw .wrongType(name, in: kind, expected: "base64") }
        // The length is there for people; if it contradicts the bytes, the line is wrong.
        if has("length"), try count("length") != bytes.count {
            throw .wrongType("length", in: kind, expected: "number of the bytes in '\(name)' (\(bytes.count))")
        }
        return bytes
    }

    func object(_ name: String) throws(WireError) -> WireFields {
        guard let values = try value(name).object else { throw .wrongType(name, in: kind, expected: "object") }
        return WireFields(kind: "\(kind).\(name)", values: values)
    }

    func list(_ name: String) throws(WireError) -> [JSONValue] {
        guard let list = try value(name).list else { throw .wrongType(name, in: kind, expected: "list") }
        return list
    }

    func word<Word: RawRepresentable & CaseIterable>(
        _ name: String, _ type: Word.Type
    ) throws(WireError) -> Word where Word.RawValue == String {
        let text = try text(name)
        guard let word = Word(rawValue: text) else {
            throw .unknownValue(text, field: name, allowed: Word.allCases.map { $0.rawValue })
        }
        return word
    }

    /// Returns headers in the form `[["Name", "value"], …]`: order and repeats matter, so they are not an object.
    func headers(_ name: String) throws(WireError) -> [HeaderField] {
        guard has(name) else { return [] }
        var fields: [HeaderField] = []
        for item in try list(name) {
            guard let pair = item.list, pair.count == 2, let key = pair[0].text, let value = pair[1].text else {
                throw .wrongType(name, in: kind, expected: "list of [name, value] pairs")
            }
            fields.append(HeaderField(key, value))
        }
        return fields
    }
}

/// The fields of a line that is being encoded.
struct WireObject {
    private(set) var values: [String: JSONValue]
    init(_ values: [String: JSONValue] = [:]) { self.values = values }

    mutating func set(_ name: String, _ value: String?) { if let value { values[name] = .text(value) } }
    mutating func set(_ name: String, _ value: Int64?) { if let value { values[name] = .integer(value) } }
    mutating func set(_ name: String, _ value: Bool?) { if let value { values[name] = .boolean(value) } }
    mutating func set(_ name: String, _ value: WireObject?) { if let value { values[name] = .object(value.values) } }
    mutating func set(_ name: String, _ duration: Duration?) {
        guard let duration else { return }
        let nanoseconds = duration.components.seconds * 1_000_000_000 + duration.components.attoseconds / 1_000_000_000
        values[name] =
            nanoseconds % 1_000_000_000 == 0
            ? .integer(nanoseconds / 1_000_000_000) : .number(Double(nanoseconds) / 1e9)
    }
    mutating func set(_ name: String, number: Double?) { if let number { values[name] = .number(number) } }
    mutating func set(bytes: [UInt8]) {
        values["length"] = .integer(Int64(bytes.count))
        values["base64"] = .text(Base64.encode(bytes))
    }
    mutating func set(_ name: String, headers: [HeaderField]) {
        values[name] = .list(headers.map { .list([.text($0.name), .text($0.value)]) })
    }

    mutating func set(_ name: String, list: [JSONValue]) { values[name] = .list(list) }

    var line: String { JSONValue.object(values).line }
}
