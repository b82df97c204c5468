import FoundationNetworking

/// Where one task stands with one side that may ask it for credentials. Lives as long as the task, over its redirects; moved on by
/// `SessionAuthentication`.
package struct RequestAuthentication: Sendable {
    enum Source: Hashable, Sendable { case userInformation, known, stored, delegate }

    enum Leg: Hashable, Sendable {
        case first
        /// The server's challenge, to be answered on this connection.
        case challenged([UInt8], connection: Int)
        /// Nothing is left to say.
        case attempted
    }

    struct Attempt: Sendable {
        var candidate: ChallengeCandidate
        var credential: URLCredential
        var source: Source
        var leg = Leg.first
        /// The first message of the scheme has gone out on the present connection, which had not been let in.
        var isOpened = false
        /// Begun on a connection; each may be lost with it.
        var exchanges = 0
        var sent: DigestResponse?
    }

    package let side: AuthenticationSide
    /// Credentials refused, over all protection spaces of the task.
    package internal(set) var failures = 0
    var attempt: Attempt?
    var candidates: [ChallengeCandidate] = []
    /// How far the sources before the delegate were used up.
    var nextSource: [ProtectionSpaceKey: Source] = [:]
    var refused: URLCredential?
    var staleRenewals = 0

    package init(side: AuthenticationSide = .server) { self.side = side }

    /// What was sent last opens the exchange of messages that lets a connection in.
    package var isNegotiating: Bool {
        guard let attempt else { return false }
        return attempt.candidate.scheme.isOfConnection && attempt.leg == .first && attempt.isOpened
    }
}

extension URLCredential {
    func isSame(as other: URLCredential?) -> Bool {
        guard let other else { return false }
        return user == other.user && password == other.password
    }
}
