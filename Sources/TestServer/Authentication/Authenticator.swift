import AdapterProtocol
import ScenarioLanguage

/// Verifies credentials and writes challenges; its random values are derived from the run's seed, so that a run can be
/// repeated.
struct Authenticator {
    enum Verdict: Hashable {
        /// The response carries these fields beside its own.
        case accepted([HeaderField])
        /// The challenges, which only a status of 401 or 407 has, and the reason in readable form.
        case refused(status: Int, [HeaderField], reason: String)
    }

    private var random: NonceGenerator
    private var digests: DigestVerifier
    private var connections = ConnectionCredentials()

    init(seed: UInt64) {
        random = NonceGenerator(state: seed)
        digests = DigestVerifier(opaque: random.next())
    }

    /// - Parameters:
    ///   - pathRequest: The number of the request among those of its path, from 1.
    ///   - connection: nil when several exchanges share it at the same time (HTTP/2): credentials cannot then apply to
    ///     a connection.
    ///   - bodyDigest: The digest of the entity body, for auth-int.
    mutating func verify(
        _ head: RequestHead, _ plan: AuthenticationPlan, pathRequest: Int = 1, connection: Int? = nil,
        bodyDigest: [UInt8]? = nil
    ) -> Verdict {
        guard pathRequest >= plan.fromRequest else { return .accepted([]) }
        let fields = head.values(of: plan.requester.credentialsField)
        let (scheme, credentials) = fields.count == 1 ? Authenticator.split(fields[0]) : ("", "")
        if fields.isEmpty, let connection, connections.isAuthenticated(connection, plan) { return .accepted([]) }
        var reason =
            fields.isEmpty
            ? "Credentials are required." : "The scheme \(scheme.isEmpty ? "(none)" : scheme) was not offered."
        let isProxy = plan.requester == .proxy
        for wanted in plan.schemes where wanted.name.equalsIgnoringCase(scheme) {
            switch wanted {
            case .basic:
                // RFC 7617 §2; charset is UTF-8, as stated in the challenge.
                if credentials == Base64.encode(Array("\(plan.user):\(plan.password)".utf8)) { return .accepted([]) }
                reason = "The user name or the password is wrong."
            case .bearer(let token):
                if credentials == token { return .accepted([]) }
                reason = "The token is wrong."
                return refusal(plan, reason, isTokenWrong: true)
            case .digest(let digest):
                guard let given = AuthenticationParameters(credentials) else {
                    reason = "The credentials are malformed."
                    continue
                }
                // No algorithm means MD5 (RFC 7616 §3.4).
                guard (given["algorithm"] ?? "MD5").equalsIgnoringCase(digest.algorithm.rawValue) else {
                    reason = "The algorithm was not offered."
                    continue
                }
                let request = DigestVerifier.Request(
                    method: head.method, target: head.target, host: head.value(of: "host") ?? "", bodyDigest: bodyDigest
                )
                let next = digest.sendsNextNonce ? random.next() : ""
                switch digests.verify(given, request, plan, digest, next: next) {
                case .accepted(let information):
                    let field = isProxy ? "Proxy-Authentication-Info" : "Authentication-Info"
                    return .accepted(information.isEmpty ? [] : [HeaderField(field, information)])
                case .refused(let why, let isStale): return refusal(plan, why, isStale: isStale)
                case .improper(let why): return .refused(status: 400, [], reason: why)
                }
            case .ntlm(let domain):
                guard let connection else {
                    reason = Authenticator.sharedConnection
                    continue
                }
                return connectionVerdict(
                    connections.ntlm(credentials, connection, plan, domain: domain, random: &random), wanted, plan)
            case .negotiate(let legs):
                guard let connection else {
                    reason = Authenticator.sharedConnection
                    continue
                }
                return connectionVerdict(
                    connections.negotiate(credentials, connection, plan, legs: legs, random: &random), wanted, plan)
            case .other: break
            }
        }
        return refusal(plan, reason)
    }

    private static let sharedConnection =
        "The scheme authenticates a connection, and this connection is shared (RFC 4559 §6)."

    private mutating func connectionVerdict(
        _ verdict: ConnectionCredentials.Verdict, _ scheme: AuthenticationPlan.Scheme, _ plan: AuthenticationPlan
    ) -> Verdict {
        switch verdict {
        case .accepted(let token):
            return .accepted(token.map { [HeaderField(plan.requester.challengeField, "\(scheme.name) \($0)")] } ?? [])
        case .challenged(let token):
            // During an exchange no other scheme is offered.
            return .refused(
                status: plan.requester.status, [HeaderField(plan.requester.challengeField, "\(scheme.name) \(token)")],
                reason: "The exchange continues.")
        case .refused(let reason): return refusal(plan, reason)
        }
    }

    private mutating func refusal(
        _ plan: AuthenticationPlan, _ reason: String, isStale: Bool = false, isTokenWrong: Bool = false
    ) -> Verdict {
        let realm = Authenticator.quoted(plan.realm)
        var nonce: String?
        let challenges = plan.schemes.map { scheme in
            switch scheme {
            case .basic: return "Basic realm=\"\(realm)\", charset=\"UTF-8\""
            case .bearer: return "Bearer realm=\"\(realm)\"" + (isTokenWrong ? ", error=\"invalid_token\"" : "")
            case .ntlm, .negotiate: return scheme.name
            case .other(let text): return text
            case .digest(let digest):
                // All challenges of one response use the same nonce.
                let value = nonce ?? random.next()
                if nonce == nil { digests.issue(value) }
                nonce = value
                return digests.challenge(digest, realm: realm, nonce: value, isStale: isStale)
            }
        }
        let lines = plan.isOneLine ? [challenges.joined(separator: ", ")] : challenges
        return .refused(
            status: plan.requester.status, lines.map { HeaderField(plan.requester.challengeField, $0) }, reason: reason)
    }

    private static func split(_ field: String) -> (scheme: String, rest: Substring) {
        let scheme = field.prefix { $0 != " " }
        return (String(scheme), field.dropFirst(scheme.count).drop { $0 == " " })
    }

    private static func quoted(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }
}

extension AuthenticationPlan.Requester {
    var status: Int {
        switch self {
        case .origin: 401
        case .proxy: 407
        }
    }

    var challengeField: String {
        switch self {
        case .origin: "WWW-Authenticate"
        case .proxy: "Proxy-Authenticate"
        }
    }

    var credentialsField: String {
        switch self {
        case .origin: "authorization"
        case .proxy: "proxy-authorization"
        }
    }
}

extension AuthenticationPlan.Scheme {
    /// The name on the wire.
    var name: String {
        switch self {
        case .basic: "Basic"
        case .digest: "Digest"
        case .bearer: "Bearer"
        case .ntlm: "NTLM"
        case .negotiate: "Negotiate"
        case .other(let text): String(text.prefix { $0 != " " })
        }
    }
}
