import Foundation
import FoundationNetworking

/// An event that a protocol object sent to its client.
enum ProtocolMessage: Sendable {
    case response(URLResponse, URLCache.StoragePolicy)
    case data(Data)
    case redirected(URLRequest, URLResponse)
    case cachedIsValid(AdaptableCachedURLResponse)
    case challenge(AdaptableSessionAuthenticationChallenge)
    case challengeCancelled
    case finished
    case failed(any Error)

    /// True for events that end the load.
    var isLast: Bool {
        switch self {
        case .redirected, .cachedIsValid, .finished, .failed: true
        case .response, .data, .challenge, .challengeCancelled: false
        }
    }
}
