/// Any JSON value; whole numbers stay exact.
package enum JSONValue: Hashable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    /// Returns nil when the bytes are not JSON.
    package static func parse(_ bytes: [UInt8]) -> JSONValue? {
        var reader = JSONReader(bytes)
        return reader.document()
    }

    /// One line without its end, with sorted keys, so that equal values have equal text.
    package var line: String {
        var writer = JSONWriter()
        writer.append(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    package var object: [String: JSONValue]? { if case .object(let value) = self { value } else { nil } }
    package var text: String? { if case .text(let value) = self { value } else { nil } }
    package var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
    package var list: [JSONValue]? { if case .list(let value) = self { value } else { nil } }
    package var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    package var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        case .null, .boolean, .text, .list, .object: nil
        }
    }
}
