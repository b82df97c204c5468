public import Foundation
public import FoundationNetworking

/// Whom a protocol object tells what it has. Messages may come from any thread; the task's delegate hears of them in the order in which
/// they were told.
///
/// The last one is that the load finished, failed or was redirected, or that the cached response is valid: what is told after it, or
/// after `stopLoading()`, is disregarded. Bytes wait in memory for a delegate that takes its time.
public protocol AdaptableURLProtocolClient: AnyObject, Sendable {
    /// Another request takes this one's place, if the delegate lets it; it is loaded by whatever class takes it. A delegate that refuses
    /// has `redirectResponse`, without a body, for its result.
    func urlProtocol(
        _ protocol: AdaptableURLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse)

    /// The cached response that the object was given is the answer, with its body.
    func urlProtocol(_ protocol: AdaptableURLProtocol, cachedResponseIsValid cachedResponse: AdaptableCachedURLResponse)

    /// Comes before every byte; a second one is disregarded.
    func urlProtocol(
        _ protocol: AdaptableURLProtocol, didReceive response: URLResponse,
        cacheStoragePolicy policy: URLCache.StoragePolicy)

    func urlProtocol(_ protocol: AdaptableURLProtocol, didLoad data: Data)

    func urlProtocolDidFinishLoading(_ protocol: AdaptableURLProtocol)

    /// The task ends with this error as it is.
    func urlProtocol(_ protocol: AdaptableURLProtocol, didFailWithError error: any Error)

    /// The delegate is asked; the challenge's `sender` hears the answer.
    func urlProtocol(_ protocol: AdaptableURLProtocol, didReceive challenge: AdaptableSessionAuthenticationChallenge)

    /// The answer is not wanted any more: the sender does not hear it.
    func urlProtocol(_ protocol: AdaptableURLProtocol, didCancel challenge: AdaptableSessionAuthenticationChallenge)
}
