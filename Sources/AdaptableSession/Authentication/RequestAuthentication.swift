import FoundationNetworking

/// The authentication state of one task toward one side, the origin server or the proxy. It lives as long as the task,
/// across redirects; `SessionAuthentication` changes it.
package struct RequestAuthentication: Sendable {
    enum Source: Hashable, Sendable { case userInformation, known, stored, delegate }

    enum Leg: Hashable, Sendable {
        case first
        /// The server sent a challenge whose response must use this connection.
        case challenged([UInt8], connection: Int)
        /// The last message of the scheme was sent.
        case attempted
    }

    struct Attempt: Sendable {
        var candidate: ChallengeCandidate
        var credential: URLCredential
        var source: Source
        var leg = Leg.first
        /// True if the first message of the scheme was sent on the current connection, which was not authenticated
        /// before.
        var isOpened = false
        /// The number of exchanges that were started; each is lost if its connection closes.
        var exchanges = 0
        var sent: DigestResponse?
    }

    package let side: AuthenticationSide
    /// The number of refused credentials, over all protection spaces of the task.
    package internal(set) var failures = 0
    @Boxed var attempt: Attempt?
    var candidates: [ChallengeCandidate] = []
    /// The next credential source to try, for each protection space.
    var nextSource: [ProtectionSpaceKey: Source] = [:]
    var refused: URLCredential?
    var staleRenewals = 0

    package init(side: AuthenticationSide = .server) { self.side = side }

    /// True if the last request carried the first message of a scheme that authenticates the connection.
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
