import HTTPFields
import OpenSSLTLS

/// The Digest credentials of one request (RFC 7616 §3.4).
package struct DigestResponse: Hashable, Sendable {
    package var challenge: DigestChallenge
    package var user: String
    package var password: String
    package var method: String
    /// The request target exactly as it is sent.
    package var uri: String
    /// nil for the form of RFC 2069.
    package var quality: DigestChallenge.Quality?
    package var count: UInt32
    package var clientNonce: String
    /// The digest of the request body, for auth-int.
    package var bodyDigest: [UInt8] = []

    package var response: String { value(method: method, body: bodyDigest) }

    /// Returns the `rspauth` value with which the server proves that it knows the password (§3.5). `body` is the digest
    /// of the response body, for auth-int.
    package func serverResponse(body: [UInt8] = []) -> String { value(method: "", body: body) }

    package var userHash: String { hash("\(user):\(challenge.realm)") }

    /// The text after `Digest `. §3.4 fixes which parameters are quoted, and strict servers reject deviations.
    package var text: String {
        var parts: [String] = []
        if challenge.acceptsUserHash {
            parts.append("username=\"\(userHash)\"")
        } else if user.utf8.contains(where: { $0 < 0x20 || $0 > 0x7E }) {
            parts.append("username*=UTF-8''\(DigestResponse.extended(user))")
        } else {
            parts.append("username=\(HTTPFieldSyntax.quoted(user))")
        }
        parts.append("realm=\(HTTPFieldSyntax.quoted(challenge.realm))")
        parts.append("nonce=\(HTTPFieldSyntax.quoted(challenge.nonce))")
        parts.append("uri=\(HTTPFieldSyntax.quoted(uri))")
        parts.append("response=\"\(response)\"")
        if challenge.namesAlgorithm { parts.append("algorithm=\(challenge.scheme.rawValue)") }
        if let opaque = challenge.opaque { parts.append("opaque=\(HTTPFieldSyntax.quoted(opaque))") }
        if let quality {
            parts.append("qop=\(quality.rawValue)")
            parts.append("nc=\(countText)")
        }
        if quality != nil || challenge.scheme.isSession {
            parts.append("cnonce=\(HTTPFieldSyntax.quoted(clientNonce))")
        }
        if challenge.acceptsUserHash { parts.append("userhash=true") }
        return parts.joined(separator: ", ")
    }

    package var countText: String {
        let digits = String(count, radix: 16)
        return String(repeating: "0", count: 8 - digits.utf8.count) + digits
    }

    private func value(method: String, body: [UInt8]) -> String {
        var request = "\(method):\(uri)"
        if quality == .integrity { request += ":\(Digests.hexadecimal(body))" }
        guard let quality else { return hash("\(secret):\(challenge.nonce):\(hash(request))") }
        return hash("\(secret):\(challenge.nonce):\(countText):\(clientNonce):\(quality.rawValue):\(hash(request))")
    }

    private var secret: String {
        let plain = hash("\(user):\(challenge.realm):\(password)")
        return challenge.scheme.isSession ? hash("\(plain):\(challenge.nonce):\(clientNonce)") : plain
    }

    private func hash(_ text: String) -> String {
        Digests.hexadecimal(Digests.digest(Array(text.utf8), challenge.scheme.algorithm))
    }

    /// Encodes text as RFC 5987 §3.2.1 requires: `attr-char` unchanged, all other bytes percent-encoded.
    private static func extended(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        return String(
            decoding: text.utf8.flatMap { byte -> [UInt8] in
                let isPlain = HTTPFieldSyntax.isToken(byte) && byte != 0x2A && byte != 0x27 && byte != 0x25
                return isPlain ? [byte] : [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }, as: UTF8.self)
    }
}
