import Foundation
import FoundationNetworking

/// A challenge that the session can respond to, with its protection space.
struct ChallengeCandidate: Sendable {
    var scheme: AuthenticationScheme
    var space: URLProtectionSpace
    var key: ProtectionSpaceKey
    var digest: DigestChallenge?
    /// The server's token of an NTLM or Negotiate exchange.
    var token: [UInt8]?

    /// Returns the supported challenges, best first: in the policy's order of schemes, within one scheme in the
    /// server's order.
    static func all(
        _ fields: HeaderFields, _ side: AuthenticationSide, _ url: URL, canDigestBody: Bool,
        _ policy: AuthenticationPolicy
    ) -> [ChallengeCandidate] {
        let received = ReceivedChallenge.read(fields.values(side.challengeField))
        return policy.schemes.flatMap { scheme in
            received.compactMap { challenge -> ChallengeCandidate? in
                guard AuthenticationScheme(name: challenge.scheme) == scheme else { return nil }
                var digest: DigestChallenge?
                if scheme == .digest {
                    guard let read = DigestChallenge(challenge) else { return nil }
                    guard canDigestBody || read.qualities != [.integrity] else { return nil }
                    digest = read
                }
                var token: [UInt8]?
                if scheme.isOfConnection, let text = challenge.token {
                    guard let data = Data(base64Encoded: text) else { return nil }
                    token = Array(data)
                }
                let realm = scheme.isOfConnection ? nil : challenge.realm ?? ""
                guard let space = side.space(url, realm: realm, method: scheme.method) else { return nil }
                return ChallengeCandidate(
                    scheme: scheme, space: space, key: ProtectionSpaceKey(space), digest: digest, token: token)
            }
        }
    }
}
