import HTTPFields

/// A Digest challenge that the session can respond to (RFC 7616 §3.3).
package struct DigestChallenge: Hashable, Sendable {
    package enum Quality: String, Hashable, Sendable {
        case authentication = "auth"
        case integrity = "auth-int"
    }

    package var realm: String
    package var nonce: String
    package var opaque: String?
    package var scheme: DigestScheme
    /// True if the server named the algorithm; only then the credentials repeat it.
    package var namesAlgorithm: Bool
    /// Empty for the form of RFC 2069, without a nonce count and a client nonce.
    package var qualities: Set<Quality>
    package var acceptsUserHash: Bool
    package var isStale: Bool
    /// The URIs of the protection space; empty for the whole server (§3.3).
    package var domain: [String]

    /// Returns nil, so that the challenge is ignored, if it is incomplete or requires an algorithm or a quality of
    /// protection that this client does not support.
    package init?(_ challenge: ReceivedChallenge) {
        guard AuthenticationScheme(name: challenge.scheme) == .digest, let realm = challenge.realm,
            let nonce = challenge.parameters["nonce"],
            let scheme = DigestScheme(name: challenge.parameters["algorithm"] ?? "MD5"),
            [realm, nonce, challenge.parameters["opaque"] ?? ""].allSatisfy(DigestChallenge.canBeRepeated)
        else { return nil }
        self.realm = realm
        self.nonce = nonce
        self.scheme = scheme
        namesAlgorithm = challenge.parameters["algorithm"] != nil
        opaque = challenge.parameters["opaque"]
        qualities = []
        if let names = challenge.parameters["qop"] {
            qualities = Set(
                names.split { $0 == "," || $0 == " " }.compactMap { Quality(rawValue: HTTPFieldSyntax.lowercased($0)) })
            if qualities.isEmpty { return nil }
        }
        acceptsUserHash = HTTPFieldSyntax.equal(challenge.parameters["userhash"] ?? "", "true")
        isStale = HTTPFieldSyntax.equal(challenge.parameters["stale"] ?? "", "true")
        domain = (challenge.parameters["domain"] ?? "").split(separator: " ").map(String.init)
    }

    /// Returns true if the text may be part of the credentials, which repeat realm, nonce and opaque unchanged. HTTP/2
    /// lets control characters pass that must not be sent in a field (RFC 9110 §5.5).
    static func canBeRepeated(_ text: String) -> Bool { !text.utf8.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F } }
}
