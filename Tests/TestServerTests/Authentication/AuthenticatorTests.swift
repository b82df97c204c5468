import AdapterProtocol
import Scenario
import Testing

@testable import TestServer

/// A small client answers the challenges; each refusal changes exactly one thing of an answer that is accepted.
struct AuthenticatorTests {
    private func plan(_ scheme: AuthenticationPlan.Scheme, uses: Int? = nil) -> AuthenticationPlan {
        AuthenticationPlan(scheme: scheme, user: "jo", password: "pässword", realm: "la\"b", nonceUses: uses)
    }

    private func request(_ authorization: String? = nil) -> RequestHead {
        RequestHead(method: "GET", target: "/a?b=1", headers: authorization.map { [HeaderField("Authorization", $0)] } ?? [])
    }

    private func challenge(_ verdict: Authenticator.Verdict) throws -> String {
        guard case .refused(let challenge, reason: _) = verdict else { throw Unexpected() }
        return challenge
    }

    private struct Unexpected: Error {}

    /// What a client sends for this challenge.
    private func credentials(
        _ challenge: String, count: String = "00000001", changing name: String? = nil, to wrong: String = "x"
    ) throws -> String {
        let given = try #require(AuthenticationParameters(challenge.dropFirst("Digest ".count)))
        let algorithm = try #require(AuthenticationPlan.DigestAlgorithm(rawValue: given["algorithm"] ?? ""))
        let nonce = try #require(given["nonce"])
        var values = [
            "username": "\"jo\"", "realm": "\"la\\\"b\"", "nonce": "\"\(nonce)\"", "uri": "\"/a?b=1\"", "qop": "auth", "nc": count,
            "cnonce": "\"c\"", "opaque": "\"\(given["opaque"] ?? "")\"", "algorithm": algorithm.rawValue,
        ]
        let right = DigestResponse(
            algorithm: algorithm, user: "jo", realm: "la\"b", password: "pässword", method: "GET", uri: "/a?b=1", nonce: nonce,
            nonceCount: count, clientNonce: "c")
        values["response"] = "\"\(right.value)\""
        if let name { values[name] = "\"\(wrong)\"" }
        return "Digest " + values.map { "\($0.key)=\($0.value)" }.joined(separator: ", ")
    }

    @Test func `Basic takes the right user and password only`() throws {
        var authenticator = Authenticator(seed: 1)
        let plan = plan(.basic)
        #expect(try challenge(authenticator.judge(request(), plan)) == "Basic realm=\"la\\\"b\", charset=\"UTF-8\"")
        let right = Base64.encode(Array("jo:pässword".utf8))
        #expect(authenticator.judge(request("bAsIc \(right)"), plan) == .accepted)
        #expect(authenticator.judge(request("Basic \(right)x"), plan) != .accepted)
        #expect(authenticator.judge(request("Digest \(right)"), plan) != .accepted)
    }

    @Test(arguments: AuthenticationPlan.DigestAlgorithm.allCases)
    func `Digest takes an answer to its own challenge`(algorithm: AuthenticationPlan.DigestAlgorithm) throws {
        var authenticator = Authenticator(seed: 1)
        let plan = plan(.digest(algorithm))
        let first = try challenge(authenticator.judge(request(), plan))
        #expect(!first.contains("stale"))
        #expect(authenticator.judge(request(try credentials(first)), plan) == .accepted)
        #expect(authenticator.judge(request(try credentials(first, count: "00000002")), plan) == .accepted)
    }

    @Test(arguments: ["username", "realm", "uri", "opaque", "qop", "algorithm", "nc", "cnonce", "response", "nonce"])
    func `Digest refuses an answer with one wrong part`(name: String) throws {
        var authenticator = Authenticator(seed: 1)
        let plan = plan(.digest(.sha256))
        let first = try challenge(authenticator.judge(request(), plan))
        let verdict = authenticator.judge(request(try credentials(first, changing: name)), plan)
        #expect(!(try challenge(verdict)).contains("stale"))
        #expect(authenticator.judge(request(try credentials(first)), plan) == .accepted)
    }

    @Test func `a nonce used up and a repeated count are stale, not wrong`() throws {
        var authenticator = Authenticator(seed: 1)
        let plan = plan(.digest(.md5), uses: 1)
        let first = try challenge(authenticator.judge(request(), plan))
        #expect(authenticator.judge(request(try credentials(first)), plan) == .accepted)
        let second = try challenge(authenticator.judge(request(try credentials(first, count: "00000002")), plan))
        #expect(second.contains("stale=true"))
        #expect(authenticator.judge(request(try credentials(second)), plan) == .accepted)
        let replayed = try challenge(authenticator.judge(request(try credentials(second)), self.plan(.digest(.md5))))
        #expect(replayed.contains("stale=true"))
    }

    @Test func `nonces follow from the seed`() throws {
        var one = Authenticator(seed: 1)
        var same = Authenticator(seed: 1)
        var other = Authenticator(seed: 2)
        let plan = plan(.digest(.sha256))
        let challenge = try challenge(one.judge(request(), plan))
        #expect(try self.challenge(same.judge(request(), plan)) == challenge)
        #expect(try self.challenge(other.judge(request(), plan)) != challenge)
        #expect(try self.challenge(one.judge(request(), plan)) != challenge)
    }

    @Test(arguments: ["a", "a=", "a=\"b", "a=b c=d", "a=b, a=c", "=b"])
    func `parameters outside the grammar are refused`(text: String) {
        #expect(AuthenticationParameters(Substring(text)) == nil)
    }
}
