/// A value with a JSON form.
package protocol JSONConvertible {
    var json: JSONValue { get }
}

/// A JSON object that is being composed; nil values are omitted.
package struct JSONObject: JSONConvertible {
    package private(set) var values: [String: JSONValue]

    package init(_ values: [String: JSONValue] = [:]) { self.values = values }

    package mutating func set(_ name: String, _ value: (some JSONConvertible)?) {
        if let value { values[name] = value.json }
    }
    package mutating func set(_ name: String, number: Double?) { set(name, number) }
    package mutating func set(_ name: String, list: [JSONValue]) { set(name, list) }
    package mutating func set(bytes: [UInt8]) {
        set("length", bytes.count)
        set("base64", Base64.encode(bytes))
    }

    package func with(_ name: String, _ value: (some JSONConvertible)?) -> JSONObject {
        var copy = self
        copy.set(name, value)
        return copy
    }

    package var json: JSONValue { .object(values) }
    /// One line without its end, with sorted keys.
    package var line: String { json.line }
}

extension JSONValue: JSONConvertible {
    package var json: JSONValue { self }
}

extension String: JSONConvertible {
    package var json: JSONValue { .text(self) }
}

extension Bool: JSONConvertible {
    package var json: JSONValue { .boolean(self) }
}

extension Int: JSONConvertible {
    package var json: JSONValue { .integer(Int64(self)) }
}

extension Int32: JSONConvertible {
    package var json: JSONValue { .integer(Int64(self)) }
}

extension Int64: JSONConvertible {
    package var json: JSONValue { .integer(self) }
}

extension UInt32: JSONConvertible {
    package var json: JSONValue { .integer(Int64(self)) }
}

extension UInt64: JSONConvertible {
    package var json: JSONValue { .integer(Int64(clamping: self)) }
}

extension Double: JSONConvertible {
    package var json: JSONValue { .number(self) }
}

extension Array: JSONConvertible where Element: JSONConvertible {
    package var json: JSONValue { .list(map(\.json)) }
}

extension Duration: JSONConvertible {
    /// The duration in seconds.
    package var json: JSONValue {
        let nanoseconds = components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
        return nanoseconds % 1_000_000_000 == 0
            ? .integer(nanoseconds / 1_000_000_000) : .number(Double(nanoseconds) / 1e9)
    }
}
