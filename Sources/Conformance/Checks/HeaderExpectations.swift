import ScenarioLanguage
import AdapterProtocol

/// Header fields that must have a value, be present, or be absent; names are compared without case (RFC 9110 §5.1).
struct HeaderExpectations: Hashable {
    enum Expected: Hashable {
        case present, absent
        case value(String)
    }
    var expected: [String: Expected] = [:]

    init(_ name: String, of fields: Fields) throws(ScenarioError) {
        for (key, value, place) in fields.pairs(name) {
            guard HTTPHeadSyntax.isToken(key) else {
                throw ScenarioError(at: place, "`\(key.shortened)` is not a header name")
            }
            switch value.text {
            case "present": expected[key] = .present
            case "absent": expected[key] = .absent
            case let text: expected[key] = .value(text ?? "")
            }
        }
    }

    var isEmpty: Bool { expected.isEmpty }

    /// Returns the differences, one per field.
    func differences(from headers: [HeaderField]) -> [(expected: String, found: String)] {
        expected.sorted { $0.key < $1.key }.compactMap { name, wanted in
            let values = headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
            let found = values.isEmpty ? "no \(name)" : "\(name): \(values.joined(separator: ", ").shortened)"
            switch wanted {
            case .present: return values.isEmpty ? ("\(name)", found) : nil
            case .absent: return values.isEmpty ? nil : ("no \(name)", found)
            case .value(let value): return values.joined(separator: ", ") == value ? nil : ("\(name): \(value)", found)
            }
        }
    }
}
