import OpenSSLTLS
import Scenario

/// The digest of the entity body that auth-int credentials cover (RFC 7616 §3.4.3).
enum BodyDigest {
    /// Returns nil when the request does not have such credentials.
    static func running(for head: RequestHead) -> RunningDigest? {
        for field in head.values(of: "authorization") + head.values(of: "proxy-authorization") {
            let scheme = field.prefix { $0 != " " }
            guard scheme.equalsIgnoringCase("digest"),
                let given = AuthenticationParameters(field.dropFirst(scheme.count)),
                given["qop"] == AuthenticationPlan.Digest.Quality.integrity.rawValue
            else { continue }
            let named = AuthenticationPlan.Digest.Algorithm.allCases.first {
                $0.rawValue.equalsIgnoringCase(given["algorithm"] ?? "MD5")
            }
            return named.map { RunningDigest($0.digest) }
        }
        return nil
    }
}
