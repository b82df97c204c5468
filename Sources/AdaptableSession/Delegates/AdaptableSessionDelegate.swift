public import FoundationNetworking

/// Receives what concerns a whole session. Every method is optional.
///
/// A method with a completion handler can be written in each of URLSession's forms: with a handler that is `@Sendable` or is not, or as
/// an asynchronous method, which is called where the form with a handler is not implemented. Asynchronous methods begin on the delegate
/// queue and go on wherever they are isolated to.
public protocol AdaptableSessionDelegate: AnyObject, Sendable {
    func urlSession(_ session: AdaptableSession, didBecomeInvalidWithError error: (any Error)?)

    /// A challenge that concerns the connection, not one request: server trust, client certificate, NTLM, Negotiate (AUTH-01).
    func urlSession(
        _ session: AdaptableSession, didReceive challenge: AdaptableSessionAuthenticationChallenge,
        completionHandler: @escaping @Sendable (AdaptableSession.AuthChallengeDisposition, URLCredential?) -> Void)

    func urlSession(
        _ session: AdaptableSession, didReceive challenge: AdaptableSessionAuthenticationChallenge
    ) async -> (AdaptableSession.AuthChallengeDisposition, URLCredential?)

    /// The first message of a task, whether it is resumed or not.
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

    public func urlSession(_ session: AdaptableSession, didCreateTask task: AdaptableSessionTask) {
        _ = OptionalMethodProbe.markMissing(self)
    }
}
