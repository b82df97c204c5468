/// A Digest challenge that can be answered (RFC 7616 §3.3).
package struct DigestChallenge: Hashable, Sendable {
    package enum Quality: String, Hashable, Sendable {
        case authentication = "auth"
        case integrity = "auth-int"
    }

    package var realm: String
    package var nonce: String
    package var opaque: String?
    package var scheme: DigestScheme
    /// Whether the server named the algorithm; only then is it repeated.
    package var namesAlgorithm: Bool
    /// Empty: the form of RFC 2069, without count and client nonce.
    package var qualities: Set<Quality>
    package var acceptsUserHash: Bool
    package var isStale: Bool
    /// The URIs of the space; empty: all of the server (§3.3).
    package var domain: [String]

    /// nil for a challenge that is incomplete, or asks for what the policy or this client does not know: it is to be ignored.
    package init?(_ challenge: ReceivedChallenge, _ policy: AuthenticationPolicy) {
        guard AuthenticationScheme(name: challenge.scheme) == .digest, let realm = challenge.realm,
            let nonce = challenge.parameters["nonce"],
            let scheme = DigestScheme(name: challenge.parameters["algorithm"] ?? "MD5"),
            policy.digestAlgorithms.contains(scheme),
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

    /// Whether the text can stand in the credentials, where realm, nonce and opaque go back as they came. HTTP/2 lets control characters
    /// through that no field of ours may hold (RFC 9110 §5.5).
    static func canBeRepeated(_ text: String) -> Bool { !text.utf8.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F } }
}
