/// The reason why a line cannot be decoded; each case names the text found and the text expected.
package enum WireError: Error, Hashable, CustomStringConvertible {
    case notJSON(excerpt: String)
    case wrongVersion(found: String, supported: Int)
    case missingField(String, in: String)
    case wrongType(String, in: String, expected: String)
    case unknownValue(String, field: String, allowed: [String])
    case lineTooLong(limit: Int)
    case sequenceGap(expected: UInt64, found: UInt64)

    package var description: String {
        switch self {
        case .notJSON(let excerpt): "a line that is not a JSON object: \(excerpt)"
        case .wrongVersion(let found, let supported):
            "protocol version \(found), but this side supports version \(supported)"
        case .missingField(let field, let kind): "\(kind) without the field '\(field)'"
        case .wrongType(let field, let kind, let expected): "the field '\(field)' of \(kind) is not of type \(expected)"
        case .unknownValue(let word, let field, let allowed):
            "'\(word)' for '\(field)'; allowed are \(allowed.joined(separator: ", "))"
        case .lineTooLong(let limit): "a line of more than \(limit) bytes"
        case .sequenceGap(let expected, let found): "sequence number \(found) instead of \(expected)"
        }
    }
}

extension WireError: JSONFieldError {
    package static func missing(_ field: String, in kind: String, expected: String) -> WireError {
        .missingField(field, in: kind)
    }
    package static func unknownWord(_ word: String, _ field: String, in kind: String, allowed: [String]) -> WireError {
        .unknownValue(word, field: field, allowed: allowed)
    }
}
