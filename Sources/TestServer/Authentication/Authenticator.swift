import AdapterProtocol
import Scenario

/// Judges credentials and writes challenges; its nonces follow from the run's seed, so that a run can be repeated.
struct Authenticator {
    enum Verdict: Hashable {
        case accepted
        /// The challenge for WWW-Authenticate, and for people why.
        case refused(challenge: String, reason: String)
    }

    /// Older nonces are forgotten (and then stale), so that a flood of requests costs bounded memory.
    static let rememberedNonces = 4_096
    static let rememberedCounts = 65_536

    private struct Nonce {
        var uses = 0
        var counts: Set<UInt64> = []
    }

    private var random: NonceGenerator
    private let opaque: String
    private var nonces: [String: Nonce] = [:]
    private var order: [String] = []

    init(seed: UInt64) {
        random = NonceGenerator(state: seed)
        opaque = random.next()
    }

    mutating func judge(_ head: RequestHead, _ plan: AuthenticationPlan) -> Verdict {
        let fields = head.values(of: "authorization")
        let (scheme, credentials) = fields.count == 1 ? Authenticator.split(fields[0]) : ("", "")
        switch plan.scheme {
        case .basic:
            // RFC 7617 §2; charset is UTF-8 as the challenge says.
            let wanted = Base64.encode(Array("\(plan.user):\(plan.password)".utf8))
            if scheme == "basic", credentials == wanted { return .accepted }
            return .refused(
                challenge: "Basic realm=\"\(Authenticator.quoted(plan.realm))\", charset=\"UTF-8\"",
                reason: Authenticator.reason(scheme, "basic"))
        case .digest(let algorithm):
            guard scheme == "digest" else {
                return refusal(plan, algorithm, isStale: false, Authenticator.reason(scheme, "digest"))
            }
            return judgeDigest(credentials, head, plan, algorithm)
        }
    }

    private mutating func judgeDigest(
        _ credentials: Substring, _ head: RequestHead, _ plan: AuthenticationPlan, _ algorithm: AuthenticationPlan.DigestAlgorithm
    ) -> Verdict {
        func refused(_ reason: String, isStale: Bool = false) -> Verdict { refusal(plan, algorithm, isStale: isStale, reason) }
        guard let given = AuthenticationParameters(credentials) else { return refused("The credentials are not well formed.") }
        guard given["username"] == plan.user else { return refused("The user is not the right one.") }
        guard given["realm"] == plan.realm else { return refused("The realm is not the challenge's.") }
        guard given["uri"] == head.target else { return refused("uri is not the target of the request.") }
        guard given["opaque"] == opaque else { return refused("opaque did not come back as it was sent (RFC 7616 §3.4).") }
        guard given["qop"] == "auth" else { return refused("qop is not auth.") }
        // No algorithm means MD5 (RFC 7616 §3.4).
        guard (given["algorithm"] ?? "MD5").equalsIgnoringCase(algorithm.rawValue) else { return refused("The algorithm is another.") }
        guard let count = given["nc"], count.utf8.count == 8, let number = UInt64(count, radix: 16), number > 0 else {
            return refused("nc is not a count of 8 hexadecimal digits.")
        }
        guard let clientNonce = given["cnonce"], !clientNonce.isEmpty else { return refused("cnonce is missing.") }
        guard let nonce = given["nonce"] else { return refused("nonce is missing.") }
        let right = DigestResponse(
            algorithm: algorithm, user: plan.user, realm: plan.realm, password: plan.password, method: head.method, uri: head.target,
            nonce: nonce, nonceCount: count, clientNonce: clientNonce)
        guard given["response"]?.lowercased() == right.value else { return refused("The response is wrong: the password or its digest.") }
        // From here on the client knows the password: an old nonce is stale, not wrong (§3.3).
        guard var known = nonces[nonce] else { return refused("The nonce is not one of this run's.", isStale: true) }
        guard known.uses < plan.nonceUses ?? .max else { return refused("The nonce is used up.", isStale: true) }
        guard known.counts.count < Authenticator.rememberedCounts else { return refused("The nonce is used up.", isStale: true) }
        guard known.counts.insert(number).inserted else { return refused("nc was used before with this nonce (§3.4).", isStale: true) }
        known.uses += 1
        nonces[nonce] = known
        return .accepted
    }

    private mutating func refusal(
        _ plan: AuthenticationPlan, _ algorithm: AuthenticationPlan.DigestAlgorithm, isStale: Bool, _ reason: String
    ) -> Verdict {
        let nonce = random.next()
        nonces[nonce] = Nonce()
        order.append(nonce)
        if order.count > Authenticator.rememberedNonces { nonces[order.removeFirst()] = nil }
        let challenge =
            "Digest realm=\"\(Authenticator.quoted(plan.realm))\", qop=\"auth\", algorithm=\(algorithm.rawValue), "
            + "nonce=\"\(nonce)\", opaque=\"\(opaque)\"" + (isStale ? ", stale=true" : "")
        return .refused(challenge: challenge, reason: reason)
    }

    private static func split(_ field: String) -> (scheme: String, rest: Substring) {
        let scheme = field.prefix { $0 != " " }
        return (scheme.lowercased(), field.dropFirst(scheme.count).drop { $0 == " " })
    }

    private static func reason(_ scheme: String, _ wanted: String) -> String {
        if scheme.isEmpty { return "Credentials are needed." }
        return scheme == wanted ? "The user or the password is wrong." : "The scheme is not \(wanted)."
    }

    private static func quoted(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }
}

/// SplitMix64 as text of 128 bits.
private struct NonceGenerator {
    var state: UInt64

    mutating func next() -> String {
        let words = [word(), word()]
        return Hexadecimal.text(words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } })
    }

    private mutating func word() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
