import Foundation
import FoundationNetworking

/// The protection spaces that accepted the session's credentials, so that later requests carry them immediately.
struct PreemptiveCredentials: Sendable {
    struct ProtectionSpace: Sendable {
        var candidate: ChallengeCandidate
        var credential: URLCredential
        /// Path prefixes that are known to belong to the space.
        var prefixes: Set<String>
    }

    private(set) var spaces: [ProtectionSpaceKey: ProtectionSpace] = [:]

    mutating func learn(
        _ candidate: ChallengeCandidate, _ credential: URLCredential, at url: URL, _ policy: AuthenticationPolicy
    ) {
        var space = spaces[candidate.key] ?? ProtectionSpace(candidate: candidate, credential: credential, prefixes: [])
        space.candidate = candidate
        space.credential = credential
        space.prefixes.formUnion(PreemptiveCredentials.prefixes(candidate, url, policy))
        spaces[candidate.key] = space
    }

    mutating func forget(_ key: ProtectionSpaceKey, _ credential: URLCredential) {
        if spaces[key]?.credential.isSame(as: credential) == true { spaces[key] = nil }
    }

    mutating func forgetAll() { spaces = [:] }

    /// Returns the protection space of the URL; the innermost if there are several.
    func space(of url: URL, _ side: AuthenticationSide) -> ProtectionSpace? {
        let path = PreemptiveCredentials.path(url)
        var best: (length: Int, space: ProtectionSpace)?
        for (key, space) in spaces {
            guard let expected = side.space(url, realm: key.realm, method: key.method),
                ProtectionSpaceKey(expected) == key
            else { continue }
            for prefix in space.prefixes where path.hasPrefix(prefix) && prefix.utf8.count > best?.length ?? -1 {
                best = (prefix.utf8.count, space)
            }
        }
        return best?.space
    }

    private static func path(_ url: URL) -> String {
        let path = url.path(percentEncoded: true)
        return path.isEmpty ? "/" : path
    }

    private static func prefixes(_ candidate: ChallengeCandidate, _ url: URL, _ policy: AuthenticationPolicy) -> Set<
        String
    > {
        if candidate.key.isProxy { return ["/"] }
        switch candidate.scheme {
        case .basic:
            guard policy.limitsBasicToPath else { return ["/"] }
            let path = path(url)
            return [String(path[...(path.lastIndex(of: "/") ?? path.startIndex)])]
        case .digest:
            let origin = WebOrigin(url)
            let named = (candidate.digest?.domain ?? []).compactMap { URL(string: $0, relativeTo: url)?.absoluteURL }
            return named.isEmpty ? ["/"] : Set(named.filter { WebOrigin($0) == origin }.map(path))
        case .ntlm, .negotiate: return ["/"]
        }
    }
}
