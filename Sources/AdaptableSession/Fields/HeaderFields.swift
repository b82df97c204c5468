import HTTPFields

/// The header fields of one message in the order in which they are sent. Names compare without regard to case (RFC 9110
/// §5.1). A name may occur several times, which a dictionary would lose (Set-Cookie must not be joined, RFC 9110 §5.3).
package struct HeaderFields: Hashable, Sendable {
    package struct Field: Hashable, Sendable {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package private(set) var fields: [Field]

    package init() { fields = [] }

    /// Accepts NIO's `HTTPHeaders` directly.
    package init(_ pairs: some Sequence<(name: String, value: String)>) {
        fields = pairs.map { Field(name: $0.name, value: HTTPFieldSyntax.trimmed($0.value)) }
    }

    package init(fields: [Field]) { self.fields = fields }

    /// Creates fields from a dictionary of URLRequest or HTTPURLResponse, sorted because a dictionary is unordered.
    package init(dictionary: [String: String]) {
        fields = dictionary.sorted { $0.key < $1.key }.map {
            Field(name: $0.key, value: HTTPFieldSyntax.trimmed($0.value))
        }
    }

    /// Returns the values of all lines with the name.
    package func values(_ name: String) -> [String] {
        fields.lazy.filter { HTTPFieldSyntax.equal($0.name, name) }.map(\.value)
    }

    /// The values of all lines with the name, joined by commas, or nil. Setting replaces all lines.
    package subscript(name: String) -> String? {
        get {
            let values = values(name)
            return values.isEmpty ? nil : values.joined(separator: ", ")
        }
        set {
            remove(name)
            if let newValue { append(name, newValue) }
        }
    }

    package func has(_ name: String) -> Bool { fields.contains { HTTPFieldSyntax.equal($0.name, name) } }

    package mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: HTTPFieldSyntax.trimmed(value)))
    }

    package mutating func remove(_ name: String) { fields.removeAll { HTTPFieldSyntax.equal($0.name, name) } }

    /// Returns the members of a comma-separated list field, over all its lines (RFC 9110 §5.6.1).
    package func list(_ name: String) -> [String] { values(name).flatMap(HTTPFieldSyntax.listMembers) }

    /// The fields for HTTPURLResponse: the lines of one name joined by commas, under the spelling of the first line.
    package var dictionary: [String: String] {
        var spelling: [String: String] = [:]
        var result: [String: String] = [:]
        for field in fields {
            let key = HTTPFieldSyntax.lowercased(field.name)
            let name = spelling[key, default: field.name]
            spelling[key] = name
            result[name] = result[name].map { "\($0), \(field.value)" } ?? field.value
        }
        return result
    }
}

extension HeaderFields: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }
}
