public import Foundation
public import FoundationNetworking

/// Receives the events of data and upload tasks. Every method is optional and can be implemented in each form that
/// URLSession accepts (see `AdaptableSessionDelegate`).
public protocol AdaptableSessionDataDelegate: AdaptableSessionTaskDelegate {
    /// Called when the response head has arrived. No data is delivered before the completion handler is called
    /// (DLGT-11).
    func urlSession(
        _ session: AdaptableSession, dataTask: AdaptableSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (AdaptableSession.ResponseDisposition) -> Void)

    /// The asynchronous form of the method with a completion handler: returns the decision about the response.
    func urlSession(
        _ session: AdaptableSession, dataTask: AdaptableSessionDataTask, didReceive response: URLResponse
    ) async -> AdaptableSession.ResponseDisposition

    /// Called after the disposition `becomeDownload`; the download task takes over the data task's load.
    func urlSession(
        _ session: AdaptableSession, dataTask: AdaptableSessionDataTask,
        didBecome downloadTask: AdaptableSessionDownloadTask)

    /// Called with the next bytes of the body, after content codings were removed.
    func urlSession(_ session: AdaptableSession, dataTask: AdaptableSessionDataTask, didReceive data: Data)

    /// Called before a complete response is cached. Passing nil to the completion handler keeps the response out of the
    /// cache.
    func urlSession(
        _ session: AdaptableSession, dataTask: AdaptableSessionDataTask,
        willCacheResponse proposedResponse: AdaptableCachedURLResponse,
        completionHandler: @escaping @Sendable (AdaptableCachedURLResponse?) -> Void)

    /// The asynchronous form of the method with a completion handler: returns the response to cache, or nil for none.
    func urlSession(
        _ session: AdaptableSession, dataTask: AdaptableSessionDataTask,
        willCacheResponse proposedResponse: AdaptableCachedURLResponse
    ) async -> AdaptableCachedURLResponse?
}

extension AdaptableSessionDataDelegate {
    public func urlSession(
        _ session: AdaptableSession, dataTask: AdaptableSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (AdaptableSession.ResponseDisposition) -> Void
    ) {
        OptionalMethodProbe.answer(for: self, completionHandler, otherwise: .allow) {
            await self.urlSession(session, dataTask: dataTask, didReceive: response)
        }
    }

    nonisolated(nonsending) public func urlSession(
        _ session: AdaptableSession, dataTask: AdaptableSessionDataTask, didReceive response: URLResponse
    ) async -> AdaptableSession.ResponseDisposition {
        _ = OptionalMethodProbe.markMissing(self)
        return .allow
    }

    public func urlSession(
        _ session: AdaptableSession, dataTask: AdaptableSessionDataTask,
        didBecome downloadTask: AdaptableSessionDownloadTask
    ) { _ = OptionalMethodProbe.markMissing(self) }

    public func urlSession(_ session: AdaptableSession, dataTask: AdaptableSessionDataTask, didReceive data: Data) {
        _ = OptionalMethodProbe.markMissing(self)
    }

    public func urlSession(
        _ session: AdaptableSession, dataTask: AdaptableSessionDataTask,
        willCacheResponse proposedResponse: AdaptableCachedURLResponse,
        completionHandler: @escaping @Sendable (AdaptableCachedURLResponse?) -> Void
    ) {
        OptionalMethodProbe.answer(for: self, completionHandler, otherwise: proposedResponse) {
            await self.urlSession(session, dataTask: dataTask, willCacheResponse: proposedResponse)
        }
    }

    nonisolated(nonsending) public func urlSession(
        _ session: AdaptableSession, dataTask: AdaptableSessionDataTask,
        willCacheResponse proposedResponse: AdaptableCachedURLResponse
    ) async -> AdaptableCachedURLResponse? {
        _ = OptionalMethodProbe.markMissing(self)
        return proposedResponse
    }
}
