import Foundation
import FoundationNetworking

/// Loads every request itself once, and marks what it forwards.
final class ForwardingProtocol: URLProtocol {
    private static let mark = "ForwardingProtocol.handled"
    private var forwarded: URLSessionDataTask?

    override class func canInit(with request: URLRequest) -> Bool { property(forKey: mark, in: request) == nil }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override class func requestIsCacheEquivalent(_ a: URLRequest, to b: URLRequest) -> Bool { a.url == b.url }

    override func startLoading() {
        guard let marked = (request as NSURLRequest).mutableCopy() as? NSMutableURLRequest else { return }
        URLProtocol.setProperty(true, forKey: Self.mark, in: marked)
        URLProtocol.removeProperty(forKey: "other", in: marked)
        nonisolated(unsafe) let loader = self
        forwarded = URLSession.shared.dataTask(with: marked as URLRequest) { data, response, error in
            if let error { return loader.client?.urlProtocol(loader, didFailWithError: error) ?? () }
            if let response {
                loader.client?.urlProtocol(loader, didReceive: response, cacheStoragePolicy: .notAllowed)
            }
            if let data { loader.client?.urlProtocol(loader, didLoad: data) }
            loader.client?.urlProtocolDidFinishLoading(loader)
        }
        forwarded?.resume()
    }

    override func stopLoading() { forwarded?.cancel() }
}

func register(_ configuration: URLSessionConfiguration) {
    _ = URLProtocol.registerClass(ForwardingProtocol.self)
    configuration.protocolClasses = [ForwardingProtocol.self]
    URLProtocol.unregisterClass(ForwardingProtocol.self)
}
