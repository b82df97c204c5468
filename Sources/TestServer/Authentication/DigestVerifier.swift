import AdapterProtocol
import ScenarioLanguage

/// Verifies Digest credentials and remembers the nonces that it issued (RFC 7616).
struct DigestVerifier {
    enum Verdict: Hashable {
        /// `information` is the value of Authentication-Info (§3.5).
        case accepted(information: String)
        /// Stale: the client knows the password, but its nonce is old (§3.3).
        case refused(reason: String, isStale: Bool)
        /// An improper value: a challenge would only hide it from the client (§3.4: "a 4xx error code").
        case improper(reason: String)
    }

    /// The request to verify, without the credentials.
    struct Request {
        var method: String
        var target: String
        /// The host in the target or the Host field, with its port.
        var host: String
        var bodyDigest: [UInt8]?
    }

    /// Older nonces are forgotten (and then stale), so that a flood of requests uses bounded memory.
    static let rememberedNonces = 4_096
    static let rememberedCounts = 65_536

    private struct Nonce {
        var uses = 0
        var counts: Set<UInt64> = []
        /// The first client nonce used with it: a `-sess` secret is made with it.
        var clientNonce: String?
    }

    private let opaque: String
    private var nonces: [String: Nonce] = [:]
    private var order: [String] = []

    init(opaque: String) { self.opaque = opaque }

    /// Records a nonce as issued.
    mutating func issue(_ nonce: String) {
        nonces[nonce] = Nonce()
        order.append(nonce)
        if order.count > DigestVerifier.rememberedNonces { nonces[order.removeFirst()] = nil }
    }

    func challenge(_ digest: AuthenticationPlan.Digest, realm: String, nonce: String, isStale: Bool) -> String {
        var text = "Digest realm=\"\(realm)\""
        if !digest.qualities.isEmpty { text += ", qop=\"\(digest.qualities.map(\.rawValue).joined(separator: ", "))\"" }
        text += ", algorithm=\(digest.algorithm.rawValue), nonce=\"\(nonce)\", opaque=\"\(opaque)\""
        if digest.acceptsUserHash { text += ", userhash=true" }
        return text + (isStale ? ", stale=true" : "")
    }

    /// `next` is the nonce sent to the client as the next one if the plan requires it.
    mutating func verify(
        _ given: AuthenticationParameters, _ request: Request, _ plan: AuthenticationPlan,
        _ digest: AuthenticationPlan.Digest,
        next: String
    ) -> Verdict {
        func refused(_ reason: String, isStale: Bool = false) -> Verdict { .refused(reason: reason, isStale: isStale) }
        guard given["realm"] == plan.realm else { return refused("The realm is not that of the challenge.") }
        // Through a proxy the target is absolute, but clients send its path (RFC 7616 §3.4 has "the request-target").
        guard let uri = given["uri"],
            uri == request.target || uri.hasPrefix("/") && request.target.hasSuffix("://\(request.host)\(uri)")
        else { return refused("uri is not the target of the request.") }
        guard given["opaque"] == opaque else {
            return refused("opaque was not returned unchanged (RFC 7616 §3.4).")
        }
        guard let nonce = given["nonce"] else { return refused("nonce is missing.") }
        var right = DigestResponse(
            algorithm: digest.algorithm, user: plan.user, realm: plan.realm, password: plan.password,
            method: request.method,
            uri: uri, nonce: nonce, nonceCount: "", clientNonce: "", quality: nil)
        guard isUser(given, right, digest) else { return refused("The user name is wrong.") }
        var number: UInt64?
        if digest.qualities.isEmpty {
            guard given["qop"] == nil else { return refused("qop was not offered.") }
        } else {
            guard let quality = AuthenticationPlan.Digest.Quality(rawValue: given["qop"] ?? ""),
                digest.qualities.contains(quality)
            else { return refused("qop is not one of the offered values.") }
            guard let count = given["nc"], count.utf8.count == 8, let value = UInt64(count, radix: 16), value > 0 else {
                return refused("nc does not have 8 hexadecimal digits.")
            }
            guard let clientNonce = given["cnonce"], !clientNonce.isEmpty else { return refused("cnonce is missing.") }
            right.quality = quality
            right.nonceCount = count
            right.clientNonce = clientNonce
            right.bodyDigest = request.bodyDigest ?? []
            number = value
        }
        // A session's secret may come from the first client nonce, as RFC 7616 specifies, or from each, as most clients
        // do.
        var candidates = [right.value]
        if digest.algorithm.isSession, let first = nonces[nonce]?.clientNonce {
            right.sessionClientNonce = first
            candidates.append(right.value)
        }
        guard let response = given["response"]?.lowercased(), let match = candidates.firstIndex(of: response) else {
            return refused("The response is wrong: wrong password or digest.")
        }
        if match == 0 { right.sessionClientNonce = nil }
        // The client has proved that it knows the password: an old nonce is stale, not wrong (§3.3).
        guard var known = nonces[nonce] else { return refused("The nonce is not from this run.", isStale: true) }
        guard known.uses < digest.nonceUses ?? .max, known.counts.count < DigestVerifier.rememberedCounts else {
            return refused("The nonce is used up.", isStale: true)
        }
        if digest.requiresExactCount, let number, number != UInt64(known.uses) + 1 {
            return .improper(reason: "nc is \(right.nonceCount) in request \(known.uses + 1) with this nonce (§3.4).")
        }
        if let number, !known.counts.insert(number).inserted {
            return refused("nc was used before with this nonce (§3.4).", isStale: true)
        }
        known.uses += 1
        if known.clientNonce == nil, !right.clientNonce.isEmpty { known.clientNonce = right.clientNonce }
        nonces[nonce] = known
        return .accepted(information: information(right, digest, next))
    }

    private mutating func information(_ right: DigestResponse, _ digest: AuthenticationPlan.Digest, _ next: String)
        -> String
    {
        var parts: [String] = []
        if digest.sendsNextNonce {
            issue(next)
            parts.append("nextnonce=\"\(next)\"")
        }
        if right.quality == .authentication {
            parts += [
                "qop=auth", "rspauth=\"\(right.serverValue)\"", "cnonce=\"\(right.clientNonce)\"",
                "nc=\(right.nonceCount)",
            ]
        }
        return parts.joined(separator: ", ")
    }

    private func isUser(_ given: AuthenticationParameters, _ right: DigestResponse, _ digest: AuthenticationPlan.Digest)
        -> Bool
    {
        if given["userhash"] == "true" {
            return digest.acceptsUserHash && given["username"]?.lowercased() == right.userHash
        }
        // RFC 7616 §3.4: a name with non-ASCII characters comes as username*, in the form of RFC 5987.
        if let extended = given["username*"] {
            return given["username"] == nil && ExtendedParameterValue.decode(extended) == right.user
        }
        return given["username"] == right.user
    }
}

/// `UTF-8''J%C3%A4s%C3%B8n`: a parameter with non-ASCII characters (RFC 5987 §3.2).
enum ExtendedParameterValue {
    /// Returns nil when the text does not have this form or uses another character set.
    static func decode(_ text: String) -> String? {
        let parts = text.split(separator: "'", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].equalsIgnoringCase("UTF-8") else { return nil }
        var bytes: [UInt8] = []
        var rest = Array(parts[2].utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == 0x25 else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
                return nil
            }
            rest = rest.dropFirst(2)
            bytes.append(value)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
