public import FoundationNetworking

/// Hears of what concerns a whole session. Every message is optional.
public protocol AdaptableSessionDelegate: AnyObject, Sendable {
    func urlSession(_ session: AdaptableSession, didBecomeInvalidWithError error: (any Error)?)

    /// A challenge that concerns the connection, not one request: server trust, client certificate, NTLM, Negotiate (AUTH-01).
    func urlSession(
        _ session: AdaptableSession, didReceive challenge: AdaptableSessionAuthenticationChallenge,
        completionHandler: @escaping @Sendable (AdaptableSession.AuthChallengeDisposition, URLCredential?) -> Void)

    /// The first message of a task, whether it is resumed or not; tasks with a completion handler have none.
    func urlSession(_ session: AdaptableSession, didCreateTask task: AdaptableSessionTask)
}

extension AdaptableSessionDelegate {
    public func urlSession(_ session: AdaptableSession, didBecomeInvalidWithError error: (any Error)?) {
        _ = DelegateWitness.tellMissing()
    }

    public func urlSession(
        _ session: AdaptableSession, didReceive challenge: AdaptableSessionAuthenticationChallenge,
        completionHandler: @escaping @Sendable (AdaptableSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        if !DelegateWitness.tellMissing() { completionHandler(.performDefaultHandling, nil) }
    }

    public func urlSession(_ session: AdaptableSession, didCreateTask task: AdaptableSessionTask) {
        _ = DelegateWitness.tellMissing()
    }
}
