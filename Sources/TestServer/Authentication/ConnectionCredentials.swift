import AdapterProtocol
import ScenarioLanguage

/// Credentials that apply to a connection: the exchanges of NTLM and Negotiate (RFC 4559 §4), each message tied to the
/// previous one on the same connection.
struct ConnectionCredentials {
    enum Verdict: Hashable {
        /// The server's last token, when it has one.
        case accepted(token: String?)
        /// The exchange continues with this token.
        case challenged(token: String)
        case refused(reason: String)
    }

    /// A number larger than that of the connections an origin has open at the same time.
    static let remembered = 8_192

    private struct Key: Hashable {
        var connection: Int
        var realm: String
        var user: String
    }

    private enum State: Hashable {
        case ntlmChallenged([UInt8])
        case negotiating(legs: Int)
        case authenticated
    }

    private var states: [Key: State] = [:]
    private var order: [Key] = []

    /// Returns true if requests on this connection need no further credentials.
    func isAuthenticated(_ connection: Int, _ plan: AuthenticationPlan) -> Bool {
        states[key(connection, plan)] == .authenticated
    }

    mutating func ntlm(
        _ credentials: Substring, _ connection: Int, _ plan: AuthenticationPlan, domain: String,
        random: inout NonceGenerator
    ) -> Verdict {
        guard let bytes = Base64.decode(String(credentials)), let message = NTLMMessage(bytes) else {
            set(nil, connection, plan)
            return .refused(reason: "The credentials are not an NTLM message.")
        }
        switch message {
        case .negotiate(let flags):
            let challenge = random.bytes(8)
            set(.ntlmChallenged(challenge), connection, plan)
            return .challenged(token: Base64.encode(NTLMMessage.challenge(challenge, domain: domain, asked: flags)))
        case .authenticate(let response):
            guard case .ntlmChallenged(let challenge) = states[key(connection, plan)] else {
                return .refused(
                    reason: "No challenge was sent on this connection: NTLM authenticates one connection (RFC 4559 §6)."
                )
            }
            // One challenge is valid for one response.
            set(nil, connection, plan)
            guard response.user.uppercased() == plan.user.uppercased() else {
                return .refused(reason: "The user name is wrong.")
            }
            switch NTLMProof.verify(response, challenge: challenge, password: plan.password) {
            case .right:
                set(.authenticated, connection, plan)
                return .accepted(token: nil)
            case .wrong: return .refused(reason: "The proof is wrong: wrong password or digest.")
            case .notVersion2: return .refused(reason: "The response is not NTLMv2.")
            }
        }
    }

    mutating func negotiate(
        _ credentials: Substring, _ connection: Int, _ plan: AuthenticationPlan, legs: Int, random: inout NonceGenerator
    ) -> Verdict {
        guard let bytes = Base64.decode(String(credentials)), !bytes.isEmpty else {
            set(nil, connection, plan)
            return .refused(reason: "The credentials are not a base64 token.")
        }
        if bytes.starts(with: NTLMMessage.signature) {
            return ntlm(credentials, connection, plan, domain: "LAB", random: &random)
        }
        var taken = 1
        if case .negotiating(let before) = states[key(connection, plan)] { taken = before + 1 }
        let token = Base64.encode(random.bytes(24))
        guard taken >= legs else {
            set(.negotiating(legs: taken), connection, plan)
            return .challenged(token: token)
        }
        set(.authenticated, connection, plan)
        return .accepted(token: token)
    }

    private func key(_ connection: Int, _ plan: AuthenticationPlan) -> Key {
        Key(connection: connection, realm: plan.realm, user: plan.user)
    }

    private mutating func set(_ state: State?, _ connection: Int, _ plan: AuthenticationPlan) {
        let key = key(connection, plan)
        if states.updateValue(state ?? .negotiating(legs: 0), forKey: key) == nil {
            order.append(key)
            if order.count > ConnectionCredentials.remembered { states[order.removeFirst()] = nil }
        }
    }
}
