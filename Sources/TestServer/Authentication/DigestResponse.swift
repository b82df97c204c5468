import OpenSSLTLS
import ScenarioLanguage

/// The digests of RFC 7616 §3.4 that a client sends, and the one that the server returns (§3.5).
struct DigestResponse {
    var algorithm: AuthenticationPlan.Digest.Algorithm
    var user: String
    var realm: String
    var password: String
    var method: String
    var uri: String
    var nonce: String
    var nonceCount: String
    var clientNonce: String
    /// nil: without `qop`, as in RFC 2069.
    var quality: AuthenticationPlan.Digest.Quality? = .authentication
    /// For `-sess`: the client nonce its secret was made with; nil: the current one.
    var sessionClientNonce: String?
    /// For auth-int: the digest of the entity body (§3.4.3).
    var bodyDigest: [UInt8] = []

    var value: String { value(method) }

    /// `rspauth`: proves that the server knows the password too (§3.5). With auth-int it would need the response's
    /// body.
    var serverValue: String { value("") }

    /// The hash that replaces the user's name (§3.4.4).
    var userHash: String { hash("\(user):\(realm)") }

    private func value(_ method: String) -> String {
        var request = "\(method):\(uri)"
        if quality == .integrity { request += ":\(Hexadecimal.text(bodyDigest))" }
        guard let quality else { return hash("\(secret):\(nonce):\(hash(request))") }
        return hash("\(secret):\(nonce):\(nonceCount):\(clientNonce):\(quality.rawValue):\(hash(request))")
    }

    private var secret: String {
        let plain = hash("\(user):\(realm):\(password)")
        return algorithm.isSession ? hash("\(plain):\(nonce):\(sessionClientNonce ?? clientNonce)") : plain
    }

    private func hash(_ text: String) -> String { Hexadecimal.text(Digests.digest(Array(text.utf8), algorithm.digest)) }
}

extension AuthenticationPlan.Digest.Algorithm {
    /// True if the secret is made once for a nonce and client nonce (§3.4.2).
    var isSession: Bool {
        switch self {
        case .md5, .sha256, .sha512t256: false
        case .md5Session, .sha256Session, .sha512t256Session: true
        }
    }

    var digest: DigestAlgorithm {
        switch self {
        case .md5, .md5Session: .md5
        case .sha256, .sha256Session: .sha256
        case .sha512t256, .sha512t256Session: .sha512t256
        }
    }
}
