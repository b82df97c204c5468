import OpenSSLTLS
import Scenario

/// The `response` value of Digest authentication with qop=auth (RFC 7616 §3.4.1).
struct DigestResponse {
    var algorithm: AuthenticationPlan.DigestAlgorithm
    var user: String
    var realm: String
    var password: String
    var method: String
    var uri: String
    var nonce: String
    var nonceCount: String
    var clientNonce: String

    var value: String {
        let secret = hash("\(user):\(realm):\(password)")
        let request = hash("\(method):\(uri)")
        return hash("\(secret):\(nonce):\(nonceCount):\(clientNonce):auth:\(request)")
    }

    private func hash(_ text: String) -> String {
        let bytes = Array(text.utf8)
        return switch algorithm {
        case .md5: Hexadecimal.text(Digests.md5(bytes))
        case .sha256: Hexadecimal.text(Digests.sha256(bytes))
        }
    }
}
