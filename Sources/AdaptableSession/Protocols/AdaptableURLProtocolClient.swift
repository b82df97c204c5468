public import Foundation
public import FoundationNetworking

/// The receiver of a protocol object's events. They may come from any thread; the task's delegate receives them in the
/// order in which they were sent.
///
/// The last event is that the load finished, failed or was redirected, or that the cached response is valid. Events
/// after it, or after `stopLoading()`, are ignored. Body bytes are buffered in memory while the delegate is busy.
public protocol AdaptableURLProtocolClient: AnyObject, Sendable {
    /// Replaces this request by another one, if the delegate allows it; the class that handles the new request loads
    /// it. If the delegate refuses, `redirectResponse` without a body is the task's result.
    func urlProtocol(
        _ protocol: AdaptableURLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse)

    /// Delivers the cached response that the object was created with, including its body.
    func urlProtocol(_ protocol: AdaptableURLProtocol, cachedResponseIsValid cachedResponse: AdaptableCachedURLResponse)

    /// Delivers the response. It must precede all body bytes; a second response is ignored.
    func urlProtocol(
        _ protocol: AdaptableURLProtocol, didReceive response: URLResponse,
        cacheStoragePolicy policy: URLCache.StoragePolicy)

    /// Delivers the next bytes of the body.
    func urlProtocol(_ protocol: AdaptableURLProtocol, didLoad data: Data)

    /// Ends the body, and the task with success.
    func urlProtocolDidFinishLoading(_ protocol: AdaptableURLProtocol)

    /// Ends the task with exactly this error.
    func urlProtocol(_ protocol: AdaptableURLProtocol, didFailWithError error: any Error)

    /// Passes a challenge to the delegate; the challenge's `sender` receives the decision.
    func urlProtocol(_ protocol: AdaptableURLProtocol, didReceive challenge: AdaptableSessionAuthenticationChallenge)

    /// Cancels a challenge: its sender does not receive a decision.
    func urlProtocol(_ protocol: AdaptableURLProtocol, didCancel challenge: AdaptableSessionAuthenticationChallenge)
}
