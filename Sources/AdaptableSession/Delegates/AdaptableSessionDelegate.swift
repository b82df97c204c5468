public import FoundationNetworking

/// Receives the events of a session as a whole. Every method is optional.
///
/// A method with a completion handler can be implemented in each form that URLSession accepts: with or without
/// `@Sendable` on the handler, or as an asynchronous method, which is called if the form with a handler is not
/// implemented. Asynchronous methods start on the delegate queue and continue on the actor to which they are isolated.
public protocol AdaptableSessionDelegate: AnyObject, Sendable {
    /// The last event of a session, after the program invalidated it. The error is nil, except for a
    /// background session that cannot be used, for example because another process uses its identifier.
    func urlSession(_ session: AdaptableSession, didBecomeInvalidWithError error: (any Error)?)

    /// Called for a challenge that concerns the connection, not a single request: server trust, client certificate,
    /// NTLM or Negotiate (AUTH-01).
    func urlSession(
        _ session: AdaptableSession, didReceive challenge: AdaptableSessionAuthenticationChallenge,
        completionHandler: @escaping @Sendable (AdaptableSession.AuthChallengeDisposition, URLCredential?) -> Void)

    /// The asynchronous form of the method with a completion handler: returns the decision about the challenge.
    func urlSession(
        _ session: AdaptableSession, didReceive challenge: AdaptableSessionAuthenticationChallenge
    ) async -> (AdaptableSession.AuthChallengeDisposition, URLCredential?)

    /// Called for a background session after all events that the program missed were delivered (BKGD-25): a program that
    /// was launched for them can end.
    func urlSessionDidFinishEvents(forBackgroundURLSession session: AdaptableSession)

    /// The first event of every task, also of a task that is never resumed.
    func urlSession(_ session: AdaptableSession, didCreateTask task: AdaptableSessionTask)
}

extension AdaptableSessionDelegate {
    public func urlSession(_ session: AdaptableSession, didBecomeInvalidWithError error: (any Error)?) {
        _ = OptionalMethodProbe.markMissing(self)
    }

    public func urlSession(
        _ session: AdaptableSession, didReceive challenge: AdaptableSessionAuthenticationChallenge,
        completionHandler: @escaping @Sendable (AdaptableSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        OptionalMethodProbe.answer(
            for: self, { completionHandler($0.0, $0.1) }, otherwise: (.performDefaultHandling, nil)
        ) {
            await self.urlSession(session, didReceive: challenge)
        }
    }

    nonisolated(nonsending) public func urlSession(
        _ session: AdaptableSession, didReceive challenge: AdaptableSessionAuthenticationChallenge
    ) async -> (AdaptableSession.AuthChallengeDisposition, URLCredential?) {
        _ = OptionalMethodProbe.markMissing(self)
        return (.performDefaultHandling, nil)
    }

    public func urlSessionDidFinishEvents(forBackgroundURLSession session: AdaptableSession) {
        _ = OptionalMethodProbe.markMissing(self)
    }

    public func urlSession(_ session: AdaptableSession, didCreateTask task: AdaptableSessionTask) {
        _ = OptionalMethodProbe.markMissing(self)
    }
}
