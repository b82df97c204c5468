package import Foundation
package import OpenSSLTLS

/// The facts about a request from which its credentials are computed.
package struct AuthenticatedRequest {
    package var url: URL
    package var method: String
    /// The target in the request line or in `:path`; host and port for CONNECT.
    package var target: String
    /// True if the user set the credential field: the session then sends no credentials of its own before a challenge.
    package var hasOwnField: Bool
    /// Computes the digest of the body; nil if the body cannot be read before it is sent.
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
