/// An error that names a field of a JSON object.
package protocol JSONFieldError: Error {
    static func missing(_ field: String, in kind: String, expected: String) -> Self
    static func wrongType(_ field: String, in kind: String, expected: String) -> Self
    static func unknownWord(_ word: String, _ field: String, in kind: String, allowed: [String]) -> Self
}

/// The fields of a JSON object, read strictly. A field that is null counts as absent, and unknown fields are ignored.
package struct JSONFields<Failure: JSONFieldError> {
    /// The object's name in errors.
    package let kind: String
    package let values: [String: JSONValue]

    package init(kind: String, values: [String: JSONValue]) {
        self.kind = kind
        self.values = values
    }

    package func has(_ name: String) -> Bool { values[name] != nil && values[name] != .null }

    private func value<Value>(
        _ name: String, _ expected: String, _ read: (JSONValue) -> Value?
    ) throws(Failure) -> Value {
        guard let found = values[name], found != .null else { throw .missing(name, in: kind, expected: expected) }
        guard let value = read(found) else { throw .wrongType(name, in: kind, expected: expected) }
        return value
    }

    package func value(_ name: String) throws(Failure) -> JSONValue { try value(name, "value") { $0 } }
    package func text(_ name: String) throws(Failure) -> String { try value(name, "text", \.text) }
    package func integer(_ name: String) throws(Failure) -> Int64 { try value(name, "whole number", \.integer) }
    package func number(_ name: String) throws(Failure) -> Double { try value(name, "number", \.number) }
    package func boolean(_ name: String) throws(Failure) -> Bool { try value(name, "true or false", \.boolean) }
    package func list(_ name: String) throws(Failure) -> [JSONValue] { try value(name, "list", \.list) }

    /// Returns a whole number that fits in its type.
    package func whole<Number: FixedWidthInteger>(_ name: String) throws(Failure) -> Number {
        try value(name, "whole number") { $0.integer.flatMap { Number(exactly: $0) } }
    }

    /// Returns a count: a whole number that is not negative.
    package func count(_ name: String) throws(Failure) -> Int {
        guard let count = Int(exactly: try integer(name)), count >= 0 else {
            throw .wrongType(name, in: kind, expected: "number of at least 0")
        }
        return count
    }

    /// Returns a duration, written in seconds as a decimal number.
    package func duration(_ name: String) throws(Failure) -> Duration {
        let seconds = try value(name, "number of seconds", \.number)
        guard seconds >= 0, seconds < 1e9 else { throw .wrongType(name, in: kind, expected: "number of seconds") }
        return .nanoseconds(Int64((seconds * 1e9).rounded()))
    }

    /// Returns a number from 0 to 1.
    package func fraction(_ name: String) throws(Failure) -> Double {
        try value(name, "number from 0 to 1") { $0.number.flatMap { (0...1).contains($0) ? $0 : nil } }
    }

    package func bytes(_ name: String) throws(Failure) -> [UInt8] {
        guard let bytes = Base64.decode(try text(name)) else { throw .wrongType(name, in: kind, expected: "base64") }
        // The length is there for people; if it contradicts the bytes, the line is wrong.
        if has("length"), try count("length") != bytes.count {
            throw .wrongType("length", in: kind, expected: "number of the bytes in '\(name)' (\(bytes.count))")
        }
        return bytes
    }

    package func object(_ name: String) throws(Failure) -> JSONFields {
        JSONFields(kind: "\(kind).\(name)", values: try value(name, "object", \.object))
    }

    /// Returns the items of a list that must all be of one type.
    package func items<Item>(_ name: String, _ expected: String, _ read: (JSONValue) -> Item?) throws(Failure) -> [Item]
    {
        var items: [Item] = []
        for value in try list(name) {
            guard let item = read(value) else { throw .wrongType(name, in: kind, expected: expected) }
            items.append(item)
        }
        return items
    }

    package func texts(_ name: String) throws(Failure) -> [String] { try items(name, "list of texts", \.text) }

    package func objects(_ name: String) throws(Failure) -> [JSONFields] {
        try items(name, "list of objects", \.object).map { JSONFields(kind: "\(kind).\(name)", values: $0) }
    }

    package func word<Word: RawRepresentable & CaseIterable>(
        _ name: String, _: Word.Type = Word.self
    ) throws(Failure) -> Word where Word.RawValue == String {
        let text = try text(name)
        guard let word = Word(rawValue: text) else {
            throw .unknownWord(text, name, in: kind, allowed: Word.allCases.map { $0.rawValue })
        }
        return word
    }

    /// Returns nil if the field is absent.
    package func optional<Value>(
        _ name: String, _ read: (String) throws(Failure) -> Value
    ) throws(Failure) -> Value? {
        has(name) ? try read(name) : nil
    }
}
