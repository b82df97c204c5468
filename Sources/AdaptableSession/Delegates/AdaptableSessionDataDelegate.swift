public import Foundation
public import FoundationNetworking

/// Receives what concerns data and upload tasks. Every method is optional, and takes each of URLSession's forms
/// (`AdaptableSessionDelegate`).
public protocol AdaptableSessionDataDelegate: AdaptableSessionTaskDelegate {
    /// No data comes before the completion handler was called (DLGT-11).
    func urlSession(
        _ session: AdaptableSession, dataTask: AdaptableSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (AdaptableSession.ResponseDisposition) -> Void)

    func urlSession(
        _ session: AdaptableSession, dataTask: AdaptableSessionDataTask, didReceive response: URLResponse
    ) async -> AdaptableSession.ResponseDisposition

    func urlSession(
        _ session: AdaptableSession, dataTask: AdaptableSessionDataTask,
        didBecome downloadTask: AdaptableSessionDownloadTask)

    func urlSession(_ session: AdaptableSession, dataTask: AdaptableSessionDataTask, didReceive data: Data)

    /// nil keeps the response out of the cache.
    func urlSession(
        _ session: AdaptableSession, dataTask: AdaptableSessionDataTask,
        willCacheResponse proposedResponse: AdaptableCachedURLResponse,
        completionHandler: @escaping @Sendable (AdaptableCachedURLResponse?) -> Void)

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
