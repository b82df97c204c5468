@testable import Conformance
import Testing

@testable import ScenarioLanguage

/// Tests of the credentials that a route requires, and of errors for challenges that no client could satisfy.
struct AuthenticationReaderTests {
    private func read(_ route: String) -> Result<Scenario, ScenarioErrors> {
        ScenarioReader.read(
            file: "x", text: Sample.good(replacing: "/a: { text: hi }", with: "/a: { text: hi, \(route) }"))
    }

    private func plan(_ route: String) throws -> AuthenticationPlan? {
        try read(route).get().origin.routes[0].authentication
    }

    private func diagnostic(_ route: String) -> String {
        switch read(route) {
        case .success: return "none"
        case .failure(let errors): return errors.errors.map { "\($0)" }.joined(separator: "\n")
        }
    }

    @Test func `basic and digest are short for one scheme`() throws {
        #expect(
            try plan("basic: { user: u, password: p }")
                == AuthenticationPlan(scheme: .basic, user: "u", password: "p", realm: "lab"))
        let digest = AuthenticationPlan.Digest(
            algorithm: .sha512t256, qualities: [.authentication, .integrity], nonceUses: 2, sendsNextNonce: true,
            acceptsUserHash: true, requiresExactCount: true)
        #expect(
            try plan(
                "digest: { user: u, password: p, realm: r, algorithm: SHA-512-256, qop: [auth, auth-int], nonceUses: 2, nextNonce: true, userHash: true, exactCount: true }"
            ) == AuthenticationPlan(scheme: .digest(digest), user: "u", password: "p", realm: "r"))
        #expect(try plan("digest: { user: u, password: p, qop: none }")?.schemes == [.digest(.init(qualities: []))])
    }

    @Test func `several schemes keep their order`() throws {
        let found = try plan(
            "authentication: { schemes: [ntlm, { negotiate: { legs: 2 } }, { bearer: { token: abc } }, { other: 'Odd a=1' }, basic], user: u, password: p, realm: r, as: proxy, oneLine: true, fromRequest: 3 }"
        )
        var wanted = AuthenticationPlan(
            schemes: [.ntlm(domain: "LAB"), .negotiate(legs: 2), .bearer(token: "abc"), .other("Odd a=1"), .basic],
            user: "u",
            password: "p", realm: "r")
        wanted.requester = .proxy
        wanted.isOneLine = true
        wanted.fromRequest = 3
        #expect(found == wanted)
        #expect(
            try plan("authentication: { schemes: { ntlm: { domain: D } }, user: u, password: p }")?.schemes == [
                .ntlm(domain: "D")
            ])
    }

    @Test(arguments: [
        ("basic: { user: u, password: p }, digest: { user: u, password: p }", "exclude each other"),
        ("basic: { user: 'a:b', password: p }", "a user name cannot contain a colon"),
        ("basic: { user: u, password: p, realm: 'a\"b' }", "a realm cannot contain quotes"),
        ("authentication: { schemes: [] }", "at least one scheme"),
        ("authentication: { schemes: basic }", "`basic` needs `user`"),
        ("authentication: { schemes: [{ digest: {} }], user: u }", "`digest` needs `password`"),
        ("authentication: { schemes: [ntlm, ntlm], user: u, password: p }", "`ntlm` is listed twice"),
        ("authentication: { schemes: [{ bearer: { token: 'a b' } }] }", "letters, digits"),
        ("authentication: { schemes: [bearer] }", "bearer"),
        ("authentication: { schemes: [{ other: '' }] }", "a challenge is a text"),
        ("digest: { user: u, password: p, qop: [none, auth] }", "`none` cannot be combined"),
        ("digest: { user: u, password: p, qop: none, exactCount: true }", "does not send a count"),
        ("digest: { user: u, password: p, algorithm: SHA-1 }", "SHA-256"),
    ])
    func `a challenge that no client could satisfy is refused with a correction`(route: String, words: String) {
        #expect(diagnostic(route).contains(words), "\(diagnostic(route))")
    }
}
