import HTTPFields
package import OpenSSLTLS

/// The Digest algorithms with their names in the protocol (RFC 7616 §3.3).
package enum DigestScheme: String, Hashable, Sendable, CaseIterable {
    case md5 = "MD5"
    case md5Session = "MD5-sess"
    case sha256 = "SHA-256"
    case sha256Session = "SHA-256-sess"
    case sha512t256 = "SHA-512-256"
    case sha512t256Session = "SHA-512-256-sess"

    package init?(name: String) {
        guard let scheme = DigestScheme.allCases.first(where: { HTTPFieldSyntax.equal($0.rawValue, name) }) else {
            return nil
        }
        self = scheme
    }

    /// True if the secret is computed once for each nonce (§3.4.2).
    package var isSession: Bool {
        switch self {
        case .md5, .sha256, .sha512t256: false
        case .md5Session, .sha256Session, .sha512t256Session: true
        }
    }

    package var algorithm: DigestAlgorithm {
        switch self {
        case .md5, .md5Session: .md5
        case .sha256, .sha256Session: .sha256
        case .sha512t256, .sha512t256Session: .sha512t256
        }
    }
}
