import OpenSSLTLS

/// NTLMv2's proof that a client knows the password (MS-NLMP §3.3.2).
struct NTLMProof {
    var user: String
    /// The domain in the client's message.
    var domain: String
    var password: String

    /// `NTOWFv2`.
    var key: [UInt8] {
        MessageAuthentication.hmacMD5(
            key: MD4.digest(NTLMMessage.little(password)), NTLMMessage.little(user.uppercased() + domain))
    }

    /// `NTProofStr` for the server's challenge and the client's own data.
    func value(challenge: [UInt8], clientData: [UInt8]) -> [UInt8] {
        MessageAuthentication.hmacMD5(key: key, challenge + clientData)
    }

    enum Verdict: Hashable { case right, wrong, notVersion2 }

    static func verify(_ answer: NTLMMessage.Authenticate, challenge: [UInt8], password: String) -> Verdict {
        // 16 bytes of proof and at least 28 of the client's data (§2.2.2.7), whose versions are 1; NTLMv1 has 24 in all.
        guard answer.response.count >= 44, answer.response[16] == 1, answer.response[17] == 1 else {
            return .notVersion2
        }
        let proof = NTLMProof(user: answer.user, domain: answer.domain, password: password)
        let right = proof.value(challenge: challenge, clientData: Array(answer.response.dropFirst(16)))
        return right.elementsEqual(answer.response.prefix(16)) ? .right : .wrong
    }
}
