import Foundation
import FoundationNetworking

/// What a protocol object told its client.
enum ProtocolMessage: Sendable {
    case response(URLResponse, URLCache.StoragePolicy)
    case data(Data)
    case redirected(URLRequest, URLResponse)
    case cachedIsValid(AdaptableCachedURLResponse)
    case challenge(AdaptableSessionAuthenticationChallenge)
    case challengeCancelled
    case finished
    case failed(any Error)

    /// Nothing may follow.
    var isLast: Bool {
        switch self {
        case .redirected, .cachedIsValid, .finished, .failed: true
        case .response, .data, .challenge, .challengeCancelled: false
        }
    }
}
