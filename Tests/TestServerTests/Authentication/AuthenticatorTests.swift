import Record
import AdapterProtocol
import OpenSSLTLS
import ScenarioLanguage
import Testing

@testable import TestServer

/// A small client responds to the challenges; each refused case differs in exactly one part from accepted credentials.
struct AuthenticatorTests {
    typealias Digest = AuthenticationPlan.Digest

    private func plan(_ schemes: AuthenticationPlan.Scheme...) -> AuthenticationPlan {
        AuthenticationPlan(schemes: schemes, user: "jo", password: "pässword", realm: "la\"b")
    }

    private func request(_ authorization: String? = nil, field: String = "Authorization") -> RequestHead {
        RequestHead(method: "GET", target: "/a?b=1", headers: authorization.map { [HeaderField(field, $0)] } ?? [])
    }

    private func challenges(_ verdict: Authenticator.Verdict) -> [String] {
        if case .refused(_, let fields, reason: _) = verdict { fields.map(\.value) } else { [] }
    }

    private func challenge(_ verdict: Authenticator.Verdict) throws -> String {
        try #require(challenges(verdict).first)
    }

    /// Returns a client's credentials for this challenge.
    private func credentials(
        _ challenge: String, count: String = "00000001", clientNonce: String = "c", session: String? = nil,
        quality: Digest.Quality? = .authentication, body: [UInt8] = [], changing name: String? = nil,
        to wrong: String = "x"
    ) throws -> String {
        let given = try #require(AuthenticationParameters(challenge.dropFirst("Digest ".count)))
        let algorithm = try #require(Digest.Algorithm(rawValue: given["algorithm"] ?? ""))
        let nonce = try #require(given["nonce"])
        var right = DigestResponse(
            algorithm: algorithm, user: "jo", realm: "la\"b", password: "pässword", method: "GET", uri: "/a?b=1",
            nonce: nonce,
            nonceCount: count, clientNonce: clientNonce, quality: quality)
        right.sessionClientNonce = session
        right.bodyDigest = Digests.digest(body, algorithm.digest)
        var values = [
            "username": "\"jo\"", "realm": "\"la\\\"b\"", "nonce": "\"\(nonce)\"", "uri": "\"/a?b=1\"",
            "opaque": "\"\(given["opaque"] ?? "")\"", "algorithm": algorithm.rawValue, "response": "\"\(right.value)\"",
        ]
        if let quality {
            values["qop"] = quality.rawValue
            values["nc"] = count
            values["cnonce"] = "\"\(clientNonce)\""
        }
        if let name { values[name] = "\"\(wrong)\"" }
        return "Digest " + values.map { "\($0.key)=\($0.value)" }.joined(separator: ", ")
    }

    private func isAccepted(_ verdict: Authenticator.Verdict) -> Bool {
        if case .accepted = verdict { true } else { false }
    }

    @Test func `Basic accepts only the right user and password`() throws {
        var authenticator = Authenticator(seed: 1)
        let plan = plan(.basic)
        #expect(try challenge(authenticator.verify(request(), plan)) == "Basic realm=\"la\\\"b\", charset=\"UTF-8\"")
        let right = Base64.encode(Array("jo:pässword".utf8))
        #expect(authenticator.verify(request("bAsIc \(right)"), plan) == .accepted([]))
        #expect(!isAccepted(authenticator.verify(request("Basic \(right)x"), plan)))
        #expect(!isAccepted(authenticator.verify(request("Digest \(right)"), plan)))
    }

    @Test func `Bearer accepts its token, and a wrong one gives an error`() throws {
        var authenticator = Authenticator(seed: 1)
        let plan = plan(.bearer(token: "abc"))
        #expect(try challenge(authenticator.verify(request(), plan)) == "Bearer realm=\"la\\\"b\"")
        #expect(isAccepted(authenticator.verify(request("Bearer abc"), plan)))
        #expect(try challenge(authenticator.verify(request("Bearer abcd"), plan)).contains("error=\"invalid_token\""))
    }

    @Test func `a proxy uses its own status and fields, and ignores credentials for the origin`() throws {
        var authenticator = Authenticator(seed: 1)
        var plan = plan(.basic)
        plan.requester = .proxy
        let right = "Basic " + Base64.encode(Array("jo:pässword".utf8))
        guard case .refused(407, let fields, reason: _) = authenticator.verify(request(right), plan) else {
            Issue.record("not refused with 407")
            return
        }
        #expect(fields.map(\.name) == ["Proxy-Authenticate"])
        #expect(isAccepted(authenticator.verify(request(right, field: "Proxy-Authorization"), plan)))
    }

    @Test func `challenges keep their order, in separate lines or in one`() throws {
        var authenticator = Authenticator(seed: 1)
        var plan = plan(
            .other("Unknown a=\"b\""), .basic, .digest(Digest(algorithm: .sha256)), .digest(Digest(algorithm: .md5)),
            .ntlm(domain: "LAB"))
        let lines = challenges(authenticator.verify(request(), plan))
        #expect(lines.map { $0.prefix { $0 != " " } } == ["Unknown", "Basic", "Digest", "Digest", "NTLM"])
        // Any of them is sufficient; the two digests share their nonce and differ in their algorithm.
        #expect(isAccepted(authenticator.verify(request(try credentials(lines[3])), plan)))
        #expect(isAccepted(authenticator.verify(request(try credentials(lines[2], count: "00000002")), plan)))
        plan.isOneLine = true
        #expect(challenges(authenticator.verify(request(), plan)).count == 1)
    }

    @Test func `requests before the first that needs credentials are accepted`() {
        var authenticator = Authenticator(seed: 1)
        var plan = plan(.basic)
        plan.fromRequest = 3
        #expect(isAccepted(authenticator.verify(request(), plan, pathRequest: 2)))
        #expect(!isAccepted(authenticator.verify(request(), plan, pathRequest: 3)))
    }

    @Test(arguments: Digest.Algorithm.allCases)
    func `Digest accepts a response to its own challenge`(algorithm: Digest.Algorithm) throws {
        var authenticator = Authenticator(seed: 1)
        let plan = plan(.digest(Digest(algorithm: algorithm, qualities: [.authentication, .integrity])))
        let first = try challenge(authenticator.verify(request(), plan))
        #expect(!first.contains("stale") && first.contains("qop=\"auth, auth-int\""))
        #expect(isAccepted(authenticator.verify(request(try credentials(first)), plan)))
        #expect(isAccepted(authenticator.verify(request(try credentials(first, count: "00000002")), plan)))
        let body = Array("body".utf8)
        let integrity = try credentials(first, count: "00000003", quality: .integrity, body: body)
        #expect(
            !isAccepted(
                authenticator.verify(request(integrity), plan, bodyDigest: Digests.digest([], algorithm.digest))))
        #expect(
            isAccepted(
                authenticator.verify(request(integrity), plan, bodyDigest: Digests.digest(body, algorithm.digest))))
    }

    @Test func `a session's secret may come from the first client nonce or from each`() throws {
        var authenticator = Authenticator(seed: 1)
        let plan = plan(.digest(Digest(algorithm: .sha256Session)))
        let first = try challenge(authenticator.verify(request(), plan))
        #expect(isAccepted(authenticator.verify(request(try credentials(first)), plan)))
        let kept = try credentials(first, count: "00000002", clientNonce: "d", session: "c")
        #expect(isAccepted(authenticator.verify(request(kept), plan)))
        #expect(
            isAccepted(authenticator.verify(request(try credentials(first, count: "00000003", clientNonce: "e")), plan))
        )
        let strange = try credentials(first, count: "00000004", clientNonce: "f", session: "g")
        #expect(!isAccepted(authenticator.verify(request(strange), plan)))
    }

    @Test func `without qop a response has neither count nor client nonce`() throws {
        var authenticator = Authenticator(seed: 1)
        let plan = plan(.digest(Digest(algorithm: .md5, qualities: [])))
        let first = try challenge(authenticator.verify(request(), plan))
        #expect(!first.contains("qop"))
        #expect(isAccepted(authenticator.verify(request(try credentials(first, quality: nil)), plan)))
        #expect(!isAccepted(authenticator.verify(request(try credentials(first)), plan)))
    }

    @Test func `a hashed user is accepted if it was offered`() throws {
        let offered = plan(.digest(Digest(acceptsUserHash: true)))
        let plain = plan(.digest(Digest()))
        for (plan, isTaken) in [(offered, true), (plain, false)] {
            var authenticator = Authenticator(seed: 1)
            let first = try challenge(authenticator.verify(request(), plan))
            #expect(first.contains("userhash=true") == isTaken)
            let hash = Digests.hexadecimal(Digests.sha256(Array("jo:la\"b".utf8)))
            let response = try credentials(first, changing: "username", to: hash) + ", userhash=true"
            #expect(isAccepted(authenticator.verify(request(response), plan)) == isTaken)
        }
    }

    @Test func `Authentication-Info has the next nonce and proves that the server knows the password`() throws {
        var authenticator = Authenticator(seed: 1)
        let plan = plan(.digest(Digest(algorithm: .md5, nonceUses: 1, sendsNextNonce: true)))
        let first = try challenge(authenticator.verify(request(), plan))
        guard case .accepted(let fields) = authenticator.verify(request(try credentials(first)), plan) else {
            Issue.record("not accepted")
            return
        }
        let information = try #require(AuthenticationParameters(Substring(fields.first?.value ?? "")))
        #expect(fields.first?.name == "Authentication-Info" && information["nc"] == "00000001")
        let given = try #require(AuthenticationParameters(first.dropFirst("Digest ".count)))
        let next = try #require(information["nextnonce"])
        func md5(_ text: String) -> String { Digests.hexadecimal(Digests.md5(Array(text.utf8))) }
        let middle = "\(given["nonce"] ?? ""):00000001:c:auth"
        #expect(information["rspauth"] == md5("\(md5("jo:la\"b:pässword")):\(middle):\(md5(":/a?b=1"))"))
        let renewed = first.replacing(given["nonce"] ?? "", with: next)
        #expect(isAccepted(authenticator.verify(request(try credentials(renewed)), plan)))
        #expect(
            challenges(authenticator.verify(request(try credentials(first, count: "00000002")), plan)).first?.contains(
                "stale=true") == true)
    }

    @Test(arguments: ["username", "realm", "uri", "opaque", "qop", "algorithm", "nc", "cnonce", "response", "nonce"])
    func `Digest refuses a response with one wrong part`(name: String) throws {
        var authenticator = Authenticator(seed: 1)
        let plan = plan(.digest(Digest()))
        let first = try challenge(authenticator.verify(request(), plan))
        let verdict = authenticator.verify(request(try credentials(first, changing: name)), plan)
        #expect(!(try challenge(verdict)).contains("stale"))
        #expect(isAccepted(authenticator.verify(request(try credentials(first)), plan)))
    }

    @Test func `a nonce used up and a repeated count are stale, not wrong`() throws {
        var authenticator = Authenticator(seed: 1)
        let plan = plan(.digest(Digest(algorithm: .md5, nonceUses: 1)))
        let first = try challenge(authenticator.verify(request(), plan))
        #expect(isAccepted(authenticator.verify(request(try credentials(first)), plan)))
        let second = try challenge(authenticator.verify(request(try credentials(first, count: "00000002")), plan))
        #expect(second.contains("stale=true"))
        #expect(isAccepted(authenticator.verify(request(try credentials(second)), plan)))
        let forEver = self.plan(.digest(Digest(algorithm: .md5)))
        let replayed = try challenge(authenticator.verify(request(try credentials(second)), forEver))
        #expect(replayed.contains("stale=true"))
    }

    @Test func `an exact count has to be that of the requests with the nonce, in hexadecimal`() throws {
        var authenticator = Authenticator(seed: 1)
        let plan = plan(.digest(Digest(requiresExactCount: true)))
        let first = try challenge(authenticator.verify(request(), plan))
        func isRight(_ count: String) throws -> Bool {
            switch authenticator.verify(request(try credentials(first, count: count)), plan) {
            case .accepted: return true
            case .refused(let status, let fields, _):
                #expect(status == 400 && fields == [])
                return false
            }
        }
        #expect(try !isRight("00000002"))
        for number in 1...9 { #expect(try isRight("0000000\(number)")) }
        #expect(try !isRight("00000010"))
        #expect(try !isRight("00000009"))
        #expect(try isRight("0000000a"))
    }

    @Test func `nonces are derived from the seed`() throws {
        var one = Authenticator(seed: 1)
        var same = Authenticator(seed: 1)
        var other = Authenticator(seed: 2)
        let plan = plan(.digest(Digest()))
        let challenge = try challenge(one.verify(request(), plan))
        #expect(try self.challenge(same.verify(request(), plan)) == challenge)
        #expect(try self.challenge(other.verify(request(), plan)) != challenge)
        #expect(try self.challenge(one.verify(request(), plan)) != challenge)
    }

    @Test func `Negotiate completes its steps on one connection, which then needs no more`() throws {
        var authenticator = Authenticator(seed: 1)
        let plan = plan(.negotiate(legs: 2))
        #expect(try challenge(authenticator.verify(request(), plan, connection: 1)) == "Negotiate")
        #expect(
            try challenge(authenticator.verify(request("Negotiate YQ=="), plan, connection: 1)).hasPrefix("Negotiate "))
        // The other connection is at its first step.
        #expect(
            try challenge(authenticator.verify(request("Negotiate YQ=="), plan, connection: 2)).hasPrefix("Negotiate "))
        guard case .accepted(let fields) = authenticator.verify(request("Negotiate Yg=="), plan, connection: 1) else {
            Issue.record("the second leg was refused")
            return
        }
        #expect(fields.first?.name == "WWW-Authenticate" && fields.first?.value.hasPrefix("Negotiate ") == true)
        #expect(isAccepted(authenticator.verify(request(), plan, connection: 1)))
        #expect(!isAccepted(authenticator.verify(request(), plan, connection: 2)))
        #expect(
            !isAccepted(authenticator.verify(request("Negotiate Yg=="), plan)),
            "a shared connection does not authenticate any user")
    }

    @Test func `an NTLM response on another connection than its challenge is refused`() throws {
        let type1 = Base64.encode(NTLMMessage.signature + [1, 0, 0, 0, 1, 2, 8, 0])
        for other in [1, 2] {
            var authenticator = Authenticator(seed: 1)
            let plan = plan(.ntlm(domain: "LAB"))
            let second = try challenge(authenticator.verify(request("NTLM \(type1)"), plan, connection: 1))
            let message = try #require(Base64.decode(String(second.dropFirst(5))))
            let data: [UInt8] = [1, 1] + [UInt8](repeating: 0, count: 30)
            let proof = NTLMProof(user: "jo", domain: "X", password: "pässword").value(
                challenge: Array(message[24..<32]), clientData: data)
            var third = NTLMMessage.signature + [3, 0, 0, 0]
            var at = 64
            let parts = [[], proof + data, NTLMMessage.little("X"), NTLMMessage.little("jo"), [], []]
            for part in parts {
                third += [UInt8(part.count), 0, UInt8(part.count), 0, UInt8(at), 0, 0, 0]
                at += part.count
            }
            third += [1, 0, 0, 0] + parts.joined()
            let verdict = authenticator.verify(request("NTLM \(Base64.encode(third))"), plan, connection: other)
            #expect(isAccepted(verdict) == (other == 1))
            #expect(isAccepted(authenticator.verify(request(), plan, connection: other)) == (other == 1))
            // A challenge is valid for one response.
            #expect(
                !isAccepted(authenticator.verify(request("NTLM \(Base64.encode(third))"), plan, connection: 1))
                    || other == 2)
        }
    }

    @Test(arguments: ["a", "a=", "a=\"b", "a=b c=d", "a=b, a=c", "=b"])
    func `parameters outside the grammar are refused`(text: String) {
        #expect(AuthenticationParameters(Substring(text)) == nil)
    }
}
