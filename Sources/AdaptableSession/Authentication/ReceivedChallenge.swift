import HTTPFields

/// One challenge of WWW-Authenticate or Proxy-Authenticate (RFC 9110 §11.3).
package struct ReceivedChallenge: Hashable, Sendable {
    /// The scheme as the server spells it.
    package var scheme: String
    package var token: String?
    /// Parameters by name in lower case.
    package var parameters: [String: String] = [:]

    package var realm: String? { parameters["realm"] }

    /// Parses the challenges of all lines in their order. A line may hold several challenges, and commas separate both
    /// parameters and challenges (§11.6.1). A syntax error invalidates only the challenge that contains it.
    package static func read(_ lines: [String]) -> [ReceivedChallenge] { lines.flatMap(read) }

    private static func read(_ line: String) -> [ReceivedChallenge] {
        var challenges: [ReceivedChallenge] = []
        for member in HTTPFieldSyntax.listMembers(line) {
            let bytes = Array(member.utf8)
            let word = bytes.prefix(while: HTTPFieldSyntax.isToken)
            let rest = HTTPFieldSyntax.trimmed(String(decoding: bytes[word.count...], as: UTF8.self))
            guard !word.isEmpty else { continue }
            let name = String(decoding: word, as: UTF8.self)
            if rest.hasPrefix("=") {
                // A parameter of the previous challenge; without a previous challenge it is ignored.
                if !challenges.isEmpty { add(name, rest, to: &challenges[challenges.count - 1]) }
                continue
            }
            // A scheme must end with a space; otherwise the member is not a challenge.
            guard rest.isEmpty || HTTPFieldSyntax.isBlank(bytes[word.count]) else { continue }
            challenges.append(ReceivedChallenge(scheme: name))
            let first = Array(rest.utf8)
            let parameter = first.prefix(while: HTTPFieldSyntax.isToken)
            let value = HTTPFieldSyntax.trimmed(String(decoding: first[parameter.count...], as: UTF8.self))
            if !parameter.isEmpty, value.hasPrefix("="), value.utf8.contains(where: { $0 != 0x3D }) {
                add(String(decoding: parameter, as: UTF8.self), value, to: &challenges[challenges.count - 1])
            } else if !rest.isEmpty {
                challenges[challenges.count - 1].token = rest
            }
        }
        return challenges
    }

    private static func add(_ name: String, _ assignment: String, to challenge: inout ReceivedChallenge) {
        let value = HTTPFieldSyntax.trimmed(String(assignment.dropFirst()))
        let key = HTTPFieldSyntax.lowercased(name)
        // A repeated parameter: the first one counts, so that all code that reads it sees the same value.
        guard challenge.parameters[key] == nil else { return }
        challenge.parameters[key] = HTTPFieldSyntax.unquoted(value)
    }
}
