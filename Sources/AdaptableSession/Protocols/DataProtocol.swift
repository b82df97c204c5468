import Foundation
import FoundationNetworking
import HTTPFields

/// Loads `data:` URLs (PROT-08).
final class DataProtocol: AdaptableURLProtocol, @unchecked Sendable {
    // `@unchecked` is safe: the class adds no state.
    override class func canInit(with request: URLRequest) -> Bool {
        request.url?.scheme.map { HTTPFieldSyntax.equal($0, "data") } ?? false
    }

    override func startLoading() {
        guard let url = request.url else { return }
        do throws(DataURL.Problem) {
            let content = try DataURL(url.absoluteString)
            let response = URLResponse(
                url: url, mimeType: content.mimeType, expectedContentLength: content.data.count,
                textEncodingName: content.charset)
            client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
            if !content.data.isEmpty { client?.urlProtocol(self, didLoad: content.data) }
            client?.urlProtocolDidFinishLoading(self)
        } catch {
            let reason =
                switch error {
                case .noComma: "the comma before the data is missing"
                case .badBase64: "its data is not base64"
                case .badPercent: "a % is not followed by two hexadecimal digits"
                }
            client?.urlProtocol(
                self, didFailWithError: URLError.made(.badURL, "The data: URL cannot be read: \(reason).", url))
        }
    }
}
