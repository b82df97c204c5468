package import AdapterProtocol

/// The meaning of an exit status other than 0.
package enum ExitMeaning: Hashable, Sendable {
    case failure(FailureClass)
    /// A response arrived, and its status is an error; the load itself did not fail.
    case errorResponse
    /// The program refused its arguments.
    case usage

    package static let words = FailureClass.allCases.map(\.rawValue) + ["errorResponse", "usage"]

    package init?(word: String) {
        switch word {
        case "errorResponse": self = .errorResponse
        case "usage": self = .usage
        default:
            guard let known = FailureClass(rawValue: word) else { return nil }
            self = .failure(known)
        }
    }
}

/// The meanings of a program's exit statuses.
package struct ExitStatusMap: Hashable, Sendable {
    /// A text in the output that distinguishes failures with the same status.
    struct Message: Hashable, Sendable {
        var status: Int32
        var text: String
        var meaning: ExitMeaning

        init(status: Int32, text: String, failure: FailureClass) {
            self.init(status: status, text: text, meaning: .failure(failure))
        }

        init(status: Int32, text: String, meaning: ExitMeaning) {
            self.status = status
            self.text = text
            self.meaning = meaning
        }
    }

    package private(set) var meanings: [Int32: ExitMeaning]
    private var messages: [Message]

    init(_ meanings: [Int32: ExitMeaning] = [:], messages: [Message] = []) {
        self.meanings = meanings
        self.messages = messages
    }

    /// Reads `6=nameResolution,28=timedOut`.
    package static func parse(_ text: String) throws(CommandError) -> [Int32: ExitMeaning] {
        var meanings: [Int32: ExitMeaning] = [:]
        for item in text.split(separator: ",") {
            let parts = item.split(separator: "=", omittingEmptySubsequences: false).map { $0.filter { $0 != " " } }
            guard parts.count == 2, let status = UInt8(parts[0]), status > 0 else {
                throw .malformedClass(String(item))
            }
            guard let meaning = ExitMeaning(word: parts[1]) else { throw .unknownClass(parts[1]) }
            meanings[Int32(status)] = meaning
        }
        return meanings
    }

    /// Returns the map with other meanings for some statuses; these also replace what messages of the program mean.
    func overridden(by others: [Int32: ExitMeaning]) -> ExitStatusMap {
        ExitStatusMap(
            meanings.merging(others) { $1 }, messages: messages.filter { others[$0.status] == nil })
    }

    /// Returns the meaning of a status other than 0; `errors` is the beginning of the program's output.
    package func meaning(of status: Int32, errors: String) -> ExitMeaning {
        if let message = messages.first(where: { $0.status == status && errors.contains($0.text) }) {
            return message.meaning
        }
        return meanings[status] ?? .failure(.other)
    }
}
