public import Foundation
public import FoundationNetworking

/// Receives the events that all kinds of tasks have in common. Every method is optional and can be implemented in each
/// form that URLSession accepts (see `AdaptableSessionDelegate`).
public protocol AdaptableSessionTaskDelegate: AdaptableSessionDelegate {
    /// Called when a task of a background session with an `earliestBeginDate` is ready to begin, before any network
    /// traffic (SCHD-04). The completion handler takes the decision and, for `useNewRequest`, the request to send.
    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask, willBeginDelayedRequest request: URLRequest,
        completionHandler: @escaping @Sendable (AdaptableSession.DelayedRequestDisposition, URLRequest?) -> Void)

    /// The asynchronous form of the method with a completion handler: returns the decision and, for `useNewRequest`, the
    /// request to send.
    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask, willBeginDelayedRequest request: URLRequest
    ) async -> (AdaptableSession.DelayedRequestDisposition, URLRequest?)

    /// Called when the task begins to wait for connectivity, at most once for each task (CONN-08).
    func urlSession(_ session: AdaptableSession, taskIsWaitingForConnectivity task: AdaptableSessionTask)

    /// Called before a redirect is followed. Passing nil to the completion handler makes the redirect response the
    /// result of the task (REDR-05).
    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void)

    /// The asynchronous form of the method with a completion handler: returns the request to send, or nil to refuse the
    /// redirect.
    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest
    ) async -> URLRequest?

    /// Called for a challenge that concerns the task's request, and for one of the connection if the session's delegate
    /// does not implement its method.
    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask,
        didReceive challenge: AdaptableSessionAuthenticationChallenge,
        completionHandler: @escaping @Sendable (AdaptableSession.AuthChallengeDisposition, URLCredential?) -> Void)

    /// The asynchronous form of the method with a completion handler: returns the decision about the challenge.
    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask,
        didReceive challenge: AdaptableSessionAuthenticationChallenge
    ) async -> (AdaptableSession.AuthChallengeDisposition, URLCredential?)

    /// Requests the body of a streamed upload, each time that it is sent (UPLD-03, UPLD-06). The session takes over the
    /// stream; nothing else may use it afterwards.
    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void)

    /// The asynchronous form of `urlSession(_:task:needNewBodyStream:)`: returns a new stream of the body.
    func urlSession(_ session: AdaptableSession, needNewBodyStreamForTask task: AdaptableSessionTask) async
        -> InputStream?

    /// Requests the body from the given byte on. A streamed body is always sent from its beginning, so the offset is 0.
    /// Called only if `needNewBodyStream` is not implemented.
    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask, needNewBodyStreamFrom offset: Int64,
        completionHandler: @escaping @Sendable (InputStream?) -> Void)

    /// The asynchronous form of `urlSession(_:task:needNewBodyStreamFrom:completionHandler:)`: returns a stream that
    /// begins at the given byte.
    func urlSession(
        _ session: AdaptableSession, needNewBodyStreamForTask task: AdaptableSessionTask, from offset: Int64
    ) async -> InputStream?

    /// Called after bytes of the request body were sent. All counts are in bytes; the expected total is -1 if it is
    /// unknown.
    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask, didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64)

    /// Called for each informational response (status 100 to 199) before the final one.
    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask,
        didReceiveInformationalResponse response: HTTPURLResponse)

    /// Called before the task completes, with the metrics of all its exchanges.
    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask,
        didFinishCollecting metrics: AdaptableSessionTaskMetrics)

    /// The last event of a task, exactly once (DLGT-06, DLGT-07).
    func urlSession(_ session: AdaptableSession, task: AdaptableSessionTask, didCompleteWithError error: (any Error)?)
}

extension AdaptableSessionTaskDelegate {
    public func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask, willBeginDelayedRequest request: URLRequest,
        completionHandler: @escaping @Sendable (AdaptableSession.DelayedRequestDisposition, URLRequest?) -> Void
    ) {
        OptionalMethodProbe.answer(for: self, { completionHandler($0.0, $0.1) }, otherwise: (.continueLoading, nil)) {
            await self.urlSession(session, task: task, willBeginDelayedRequest: request)
        }
    }

    nonisolated(nonsending) public func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask, willBeginDelayedRequest request: URLRequest
    ) async -> (AdaptableSession.DelayedRequestDisposition, URLRequest?) {
        _ = OptionalMethodProbe.markMissing(self)
        return (.continueLoading, nil)
    }

    public func urlSession(_ session: AdaptableSession, taskIsWaitingForConnectivity task: AdaptableSessionTask) {
        _ = OptionalMethodProbe.markMissing(self)
    }

    public func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        OptionalMethodProbe.answer(for: self, completionHandler, otherwise: request) {
            await self.urlSession(session, task: task, willPerformHTTPRedirection: response, newRequest: request)
        }
    }

    nonisolated(nonsending) public func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest
    ) async -> URLRequest? {
        _ = OptionalMethodProbe.markMissing(self)
        return request
    }

    public func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask,
        didReceive challenge: AdaptableSessionAuthenticationChallenge,
        completionHandler: @escaping @Sendable (AdaptableSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        OptionalMethodProbe.answer(
            for: self, { completionHandler($0.0, $0.1) }, otherwise: (.performDefaultHandling, nil)
        ) {
            await self.urlSession(session, task: task, didReceive: challenge)
        }
    }

    nonisolated(nonsending) public func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask,
        didReceive challenge: AdaptableSessionAuthenticationChallenge
    ) async -> (AdaptableSession.AuthChallengeDisposition, URLCredential?) {
        _ = OptionalMethodProbe.markMissing(self)
        return (.performDefaultHandling, nil)
    }

    public func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        let hasResponse = OptionalMethodProbe.hasResponse(by: self, completionHandler) {
            await self.urlSession(session, needNewBodyStreamForTask: task)
        }
        if !hasResponse {
            urlSession(session, task: task, needNewBodyStreamFrom: 0, completionHandler: completionHandler)
        }
    }

    nonisolated(nonsending) public func urlSession(
        _ session: AdaptableSession, needNewBodyStreamForTask task: AdaptableSessionTask
    ) async -> InputStream? {
        _ = OptionalMethodProbe.markMissing(self)
        return nil
    }

    public func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask, needNewBodyStreamFrom offset: Int64,
        completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        let hasResponse = OptionalMethodProbe.hasResponse(by: self, completionHandler) {
            await self.urlSession(session, needNewBodyStreamForTask: task, from: offset)
        }
        if !hasResponse, !OptionalMethodProbe.markMissing(self) { completionHandler(nil) }
    }

    nonisolated(nonsending) public func urlSession(
        _ session: AdaptableSession, needNewBodyStreamForTask task: AdaptableSessionTask, from offset: Int64
    ) async -> InputStream? {
        _ = OptionalMethodProbe.markMissing(self)
        return nil
    }

    public func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask, didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) { _ = OptionalMethodProbe.markMissing(self) }

    public func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask,
        didReceiveInformationalResponse response: HTTPURLResponse
    ) { _ = OptionalMethodProbe.markMissing(self) }

    public func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask,
        didFinishCollecting metrics: AdaptableSessionTaskMetrics
    ) { _ = OptionalMethodProbe.markMissing(self) }

    public func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask, didCompleteWithError error: (any Error)?
    ) {
        _ = OptionalMethodProbe.markMissing(self)
    }
}
