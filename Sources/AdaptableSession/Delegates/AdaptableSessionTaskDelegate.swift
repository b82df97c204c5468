public import Foundation
public import FoundationNetworking

/// Hears of what every kind of task has in common. Every message is optional.
public protocol AdaptableSessionTaskDelegate: AdaptableSessionDelegate {
    /// At most once for a task (CONN-08).
    func urlSession(_ session: AdaptableSession, taskIsWaitingForConnectivity task: AdaptableSessionTask)

    /// nil takes the redirect's own response as the result (REDR-05).
    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void)

    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask, didReceive challenge: AdaptableSessionAuthenticationChallenge,
        completionHandler: @escaping @Sendable (AdaptableSession.AuthChallengeDisposition, URLCredential?) -> Void)

    /// Asked for the body of a streamed upload, each time that it is sent (UPLD-03, UPLD-06).
    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (sending InputStream?) -> Void)

    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64)

    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask, didReceiveInformationalResponse response: HTTPURLResponse)

    func urlSession(_ session: AdaptableSession, task: AdaptableSessionTask, didFinishCollecting metrics: AdaptableSessionTaskMetrics)

    /// The last message of a task, exactly once (DLGT-06, DLGT-07).
    func urlSession(_ session: AdaptableSession, task: AdaptableSessionTask, didCompleteWithError error: (any Error)?)
}

extension AdaptableSessionTaskDelegate {
    public func urlSession(_ session: AdaptableSession, taskIsWaitingForConnectivity task: AdaptableSessionTask) {
        _ = DelegateWitness.tellMissing()
    }

    public func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        if !DelegateWitness.tellMissing() { completionHandler(request) }
    }

    public func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask, didReceive challenge: AdaptableSessionAuthenticationChallenge,
        completionHandler: @escaping @Sendable (AdaptableSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        if !DelegateWitness.tellMissing() { completionHandler(.performDefaultHandling, nil) }
    }

    public func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (sending InputStream?) -> Void
    ) {
        if !DelegateWitness.tellMissing() { completionHandler(nil) }
    }

    public func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) { _ = DelegateWitness.tellMissing() }

    public func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask, didReceiveInformationalResponse response: HTTPURLResponse
    ) { _ = DelegateWitness.tellMissing() }

    public func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask, didFinishCollecting metrics: AdaptableSessionTaskMetrics
    ) { _ = DelegateWitness.tellMissing() }

    public func urlSession(_ session: AdaptableSession, task: AdaptableSessionTask, didCompleteWithError error: (any Error)?) {
        _ = DelegateWitness.tellMissing()
    }
}
