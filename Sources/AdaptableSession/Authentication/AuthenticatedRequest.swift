package import Foundation
package import OpenSSLTLS

/// What credentials are made for.
package struct AuthenticatedRequest {
    package var url: URL
    package var method: String
    /// As it stands in the request line, or in `:path`; host and port for CONNECT.
    package var target: String
    /// The user set the field: nothing is sent in its place before a challenge.
    package var hasOwnField: Bool
    /// Digest of the entity body; nil when it cannot be known before it is sent.
    package var bodyDigest: (DigestAlgorithm) -> [UInt8]?

    package init(
        url: URL, method: String, target: String, hasOwnField: Bool = false,
        bodyDigest: @escaping (DigestAlgorithm) -> [UInt8]? = { Digests.digest([], $0) }
    ) {
        self.url = url
        self.method = method
        self.target = target
        self.hasOwnField = hasOwnField
        self.bodyDigest = bodyDigest
    }
}
