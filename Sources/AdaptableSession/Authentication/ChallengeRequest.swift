package import FoundationNetworking

/// What the delegate is asked.
package struct ChallengeRequest: Sendable {
    package var space: URLProtectionSpace
    /// After a failure the credential that was refused.
    package var proposed: URLCredential?
    package var previousFailures: Int
    /// To the session's delegate first, and to the task's where that one has no such method; otherwise to the task's only.
    package var isSessionWide: Bool
}

/// What the delegate said.
package enum ChallengeDecision: Sendable {
    /// nil: go on without one.
    case use(URLCredential?)
    case performDefaultHandling
    case cancel
    case rejectProtectionSpace
}

/// What is to be done about a 401 or 407.
package enum AuthenticationAction: Sendable {
    /// The response is the result.
    case deliver
    /// Ask the credential storage for its default credential; answer with `stored`.
    case lookUp(URLProtectionSpace)
    /// Ask the delegate; answer with `answered`.
    case callDelegate(ChallengeRequest)
    /// Send the request again; `field` gives the credentials. `connection` pins it: on that one, or from the start on another.
    case send(connection: Int?)
    /// The task ends as cancelled.
    case cancel
}
