package import FoundationNetworking

/// The facts about a challenge that is passed to a delegate.
package struct ChallengeRequest: Sendable {
    package var space: URLProtectionSpace
    /// The credential that was refused; nil before the first failure.
    package var proposed: URLCredential?
    package var previousFailures: Int
    /// True if the session's delegate is called first, and the task's delegate only if the session's does not implement
    /// the method. False if only the task's delegate is called.
    package var isSessionWide: Bool
}

/// The decision of the delegate.
package enum ChallengeDecision: Sendable {
    /// nil continues without a credential.
    case use(URLCredential?)
    case performDefaultHandling
    case cancel
    case rejectProtectionSpace
}

/// The next step after a response with status 401 or 407.
package enum AuthenticationAction: Sendable {
    /// Deliver the response as the result of the task.
    case deliver
    /// Look up the default credential in the credential storage; report it with `stored`.
    case lookUp(URLProtectionSpace)
    /// Call the delegate; report its decision with `didDecide`.
    case callDelegate(ChallengeRequest)
    /// Send the request again with the credentials that `field` returns. `connection` is the connection to reuse, or
    /// nil for any.
    case send(connection: Int?)
    /// Complete the task as cancelled.
    case cancel
}
