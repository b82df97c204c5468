internal import COpenSSL

/// The digests that HTTP authentication names (RFC 7616 §3.2).
package enum DigestAlgorithm: Hashable, Sendable, CaseIterable {
    case md5, sha256
    /// SHA-512 with different initial values, truncated to 256 bits (FIPS 180-4 §5.3.6).
    case sha512t256

    var type: OpaquePointer? {
        switch self {
        case .md5: unsafe EVP_md5()
        case .sha256: unsafe EVP_sha256()
        case .sha512t256: unsafe EVP_sha512_256()
        }
    }
}
