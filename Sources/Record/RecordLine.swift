import AdapterProtocol

/// The version of the record's lines; the first line of a record carries it.
package enum RecordVersion {
    package static let number: Int64 = 2
}

/// The reason that a line of a record cannot be read.
package enum RecordError: Error, Hashable, CustomStringConvertible {
    case notJSON(excerpt: String)
    case wrongVersion(found: String)
    case missing(String, in: String)

    package var description: String {
        switch self {
        case .notJSON(let excerpt): "not a JSON object: \(excerpt)"
        case .wrongVersion(let found): "record version \(found), but this program reads version \(RecordVersion.number)"
        case .missing(let field, let kind): "'\(kind)' without a usable '\(field)'"
        }
    }
}

/// The fields of one record line.
typealias RecordFields = JSONFields<RecordError>
typealias RecordObject = JSONObject

extension RecordObject {
    init(_ kind: String) { self.init(["fact": .text(kind)]) }
}

extension RecordError: JSONFieldError {
    package static func missing(_ field: String, in kind: String, expected: String) -> RecordError {
        .missing(field, in: kind)
    }
    package static func wrongType(_ field: String, in kind: String, expected: String) -> RecordError {
        .missing(field, in: kind)
    }
    package static func unknownWord(_ word: String, _ field: String, in kind: String, allowed: [String]) -> RecordError
    {
        .missing(field, in: kind)
    }
}
