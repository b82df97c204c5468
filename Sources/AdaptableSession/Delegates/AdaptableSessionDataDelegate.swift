public import Foundation
public import FoundationNetworking

/// Hears of data and upload tasks. Every message is optional.
public protocol AdaptableSessionDataDelegate: AdaptableSessionTaskDelegate {
    /// No data comes before the completion handler was called (DLGT-11).
    func urlSession(
        _ session: AdaptableSession, dataTask: AdaptableSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (AdaptableSession.ResponseDisposition) -> Void)

    func urlSession(_ session: AdaptableSession, dataTask: AdaptableSessionDataTask, didBecome downloadTask: AdaptableSessionDownloadTask)

    func urlSession(_ session: AdaptableSession, dataTask: AdaptableSessionDataTask, didReceive data: Data)

    /// nil keeps the response out of the cache.
    func urlSession(
        _ session: AdaptableSession, dataTask: AdaptableSessionDataTask, willCacheResponse proposedResponse: AdaptableCachedURLResponse,
        completionHandler: @escaping @Sendable (AdaptableCachedURLResponse?) -> Void)
}

extension AdaptableSessionDataDelegate {
    public func urlSession(
        _ session: AdaptableSession, dataTask: AdaptableSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (AdaptableSession.ResponseDisposition) -> Void
    ) {
        if !DelegateWitness.tellMissing() { completionHandler(.allow) }
    }

    public func urlSession(
        _ session: AdaptableSession, dataTask: AdaptableSessionDataTask, didBecome downloadTask: AdaptableSessionDownloadTask
    ) { _ = DelegateWitness.tellMissing() }

    public func urlSession(_ session: AdaptableSession, dataTask: AdaptableSessionDataTask, didReceive data: Data) {
        _ = DelegateWitness.tellMissing()
    }

    public func urlSession(
        _ session: AdaptableSession, dataTask: AdaptableSessionDataTask, willCacheResponse proposedResponse: AdaptableCachedURLResponse,
        completionHandler: @escaping @Sendable (AdaptableCachedURLResponse?) -> Void
    ) {
        if !DelegateWitness.tellMissing() { completionHandler(proposedResponse) }
    }
}
