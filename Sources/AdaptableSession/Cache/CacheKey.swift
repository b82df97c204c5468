import Foundation
import FoundationNetworking
import OpenSSLTLS

/// Entries are of a URL without its fragment (RFC 9111 §2).
struct CacheKey: Hashable, Sendable {
    let text: String

    init?(_ url: URL?) {
        guard let url, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return nil }
        parts.fragment = nil
        guard let text = parts.string else { return nil }
        self.text = text
    }

    /// For the name of a file.
    var digest: String { String(Digests.hexadecimal(Digests.sha256(Array(text.utf8))).prefix(40)) }
}
