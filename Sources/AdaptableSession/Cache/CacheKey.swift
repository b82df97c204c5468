import Foundation
import FoundationNetworking
import OpenSSLTLS

/// The key of an entry: the URL without its fragment (RFC 9111 §2).
struct CacheKey: Hashable, Sendable {
    let text: String

    init?(_ url: URL?) {
        guard let url, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return nil }
        parts.fragment = nil
        guard let text = parts.string else { return nil }
        self.text = text
    }

    /// A hash of the URL for file names.
    var digest: String { String(Digests.hexadecimal(Digests.sha256(Array(text.utf8))).prefix(40)) }
}
