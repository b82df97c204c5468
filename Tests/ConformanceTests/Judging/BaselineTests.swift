import Testing

@testable import Record
@testable import ScenarioLanguage
@testable import Conformance

/// Tests of each kind of unexpected outcome, and of the same outcome with a line that expects it.
@Suite struct BaselineTests {
    private static let text = """
        - { scenario: resume/known, outcome: fail, kind: wrong, reason: "issue 12" }
        - { scenario: resume/any, outcome: fail, reason: "issue 13" }
        - { scenario: tls/none, outcome: unsupported, reason: "no TLS" }
        - { scenario: framing/race, outcome: varies, kind: wrong, reason: "a race" }
        """

    private static func result(_ scenario: String, _ outcome: Outcome) -> RunResult {
        RunResult(
            header: RunHeader(
                scenario: scenario, file: "\(scenario).yaml", title: "", proves: [], adapter: "a", engine: "kernel",
                seed: 1,
                repetition: 1), tags: [], outcome: outcome, duration: .zero, recordFile: nil, captureFile: nil)
    }
    private static func status(_ scenario: String, _ outcome: Outcome) throws -> Baseline.BaselineStatus {
        try Baseline.read(file: "a.yaml", text: text).status(of: result(scenario, outcome))
    }

    @Test(
        arguments: [
            ("resume/known", .fail(.wrong, []), .expected(reason: "issue 12")),
            ("resume/any", .fail(.hang, []), .expected(reason: "issue 13")),
            ("tls/none", .unsupported("tls"), .expected(reason: "no TLS")), ("order/fine", .pass, .unlisted),
            ("order/not", .unsupported("x"), .unlisted), ("order/new", .fail(.wrong, []), .unlisted),
            ("framing/race", .fail(.wrong, []), .expected(reason: "a race")), ("framing/race", .pass, .unlisted),
            ("framing/race", .fail(.hang, []), .otherwise(listed: "varies (wrong)")),
            ("resume/known", .pass, .unexpectedPass(reason: "issue 12")),
            ("resume/known", .fail(.crash, []), .otherwise(listed: "fail (wrong)")),
            ("resume/known", .unsupported("x"), .otherwise(listed: "fail (wrong)")),
            ("tls/none", .pass, .unexpectedPass(reason: "no TLS")),
            ("tls/none", .fail(.wrong, []), .otherwise(listed: "unsupported")),
        ] as [(String, Outcome, Baseline.BaselineStatus)])
    func `an outcome is compared with its line`(
        scenario: String, outcome: Outcome, status: Baseline.BaselineStatus
    ) throws {
        #expect(try Self.status(scenario, outcome) == status)
    }

    /// Another failure than the listed one is unexpected, although the outcome is the same.
    @Test(
        arguments: [
            ("request", ["request"], "", nil), ("list", ["request", "body"], "", nil), ("list", ["body"], "", nil),
            ("request", ["body"], "", "fail of request"), ("request", ["request", "body"], "", "fail of request"),
            ("list", ["timing"], "", "fail (wrong) of request, body"),
            ("text", ["request"], "status 404", nil), ("text", ["request"], "status 500", "varies that found \"404\""),
        ] as [(String, [String], String, String?)])
    func `a line matches the checks that failed and what they found`(
        scenario: String, failed: [String], found: String, listed: String?
    ) throws {
        let baseline = try Baseline.read(
            file: "a.yaml",
            text: """
                - { scenario: request, outcome: fail, check: request, reason: r }
                - { scenario: list, outcome: fail, kind: wrong, check: [request, body], reason: r }
                - { scenario: text, outcome: varies, found: "404", reason: r }
                """)
        let mismatches = failed.map { Mismatch(check: $0, expected: "e", found: found) }
        let status = baseline.status(of: Self.result(scenario, .fail(.wrong, mismatches)))
        #expect(status == listed.map { .otherwise(listed: $0) } ?? .expected(reason: "r"))
    }

    /// A race of the client that needs no particular scenario.
    @Test(
        arguments: [
            ("any/other", .crash, "Code=43", .expected(reason: "race")),
            ("any/other@lte", .crash, "Code=43", .expected(reason: "race")),
            ("listed", .crash, "Code=43", .expected(reason: "race")), ("listed", .wrong, "", .expected(reason: "r")),
            ("any/other", .crash, "Code=7", .unlisted), ("any/other", .wrong, "Code=43", .unlisted),
            ("listed", .crash, "Code=7", .otherwise(listed: "fail (wrong)")),
        ] as [(String, Outcome.FailureKind, String, Baseline.BaselineStatus)])
    func `a crash that may happen anywhere is expected in each scenario`(
        scenario: String, kind: Outcome.FailureKind, found: String, status: Baseline.BaselineStatus
    ) throws {
        let text = """
            - { scenario: "*", outcome: varies, kind: crash, found: "Code=1", reason: another }
            - { scenario: "*", outcome: varies, kind: crash, found: "Code=43", reason: race }
            - { scenario: listed, outcome: fail, kind: wrong, reason: r }
            """
        let baseline = try Baseline.read(file: "a.yaml", text: text)
        let outcome = Outcome.fail(kind, [Mismatch(check: "crash", expected: "e", found: found)])
        #expect(baseline.status(of: Self.result(scenario, outcome)) == status)
        let isExpected = if case .expected = status { true } else { false }
        #expect(baseline.lists(outcome, of: scenario) == isExpected)
        #expect(baseline.status(of: Self.result("any/other", .pass)) == .unlisted)
        #expect(baseline.stale(among: ["listed"]) == [])
    }

    @Test func `a line without a matching scenario is stale`() throws {
        let stale = try Baseline.read(file: "a.yaml", text: Self.text)
            .stale(among: ["order/fine", "resume/known", "resume/any"])
        #expect(stale.map(\.scenario) == ["tls/none", "framing/race"])
        #expect(stale.map(\.line) == [3, 4])
    }

    /// A failure of the implementation need not show on every network, so a pass there is as expected too.
    @Test(
        arguments: [
            ("resume/known@lte", .fail(.wrong, []), .expected(reason: "issue 12")),
            ("resume/known[a]@lte", .fail(.wrong, []), .expected(reason: "issue 12")),
            ("resume/known@lte", .pass, .unlisted),
            ("resume/known@lte", .fail(.crash, []), .otherwise(listed: "fail (wrong)")),
            ("resume/here@edge", .fail(.hang, []), .expected(reason: "too slow")),
            ("resume/here@edge", .pass, .unexpectedPass(reason: "too slow")),
            ("resume/here@lte", .fail(.hang, []), .unlisted),
        ] as [(String, Outcome, Baseline.BaselineStatus)])
    func `a run on a network has its own line, or that of its scenario`(
        scenario: String, outcome: Outcome, status: Baseline.BaselineStatus
    ) throws {
        let text = Self.text + "\n- { scenario: resume/here@edge, outcome: fail, kind: hang, reason: too slow }"
        let baseline = try Baseline.read(file: "a.yaml", text: text)
        #expect(baseline.status(of: Self.result(scenario, outcome)) == status)
    }

    @Test func `a line is stale when its row is gone or its network runs without it`() throws {
        let lines = ["a", "a@lte", "a@edge", "b[x]", "b[old]", "gone@lte"]
        let text = lines.map { "- { scenario: '\($0)', outcome: fail, reason: r }\n" }.joined()
        let baseline = try Baseline.read(file: "a.yaml", text: text)
        #expect(baseline.stale(among: ["a", "b[x]"]).map(\.scenario) == ["b[old]", "gone@lte"])
        #expect(baseline.stale(among: ["a@edge", "b[x]", "b[old]@edge"]).map(\.scenario) == ["gone@lte"])
        #expect(baseline.stale(among: ["a@3g", "a@lte", "b@edge"]).map(\.scenario).contains("a@edge"))
    }

    @Test(arguments: ["", "# nothing is known to fail\n", "[]\n"])
    func `a baseline may be empty`(text: String) throws {
        #expect(try Baseline.read(file: "a.yaml", text: text) == .empty)
    }

    @Test(arguments: [
        ("scenario: x", 1), ("- x", 1), ("\n- { scenario: x, outcome: fail }", 2),
        ("- { scenario: x, outcome: fail, reason: '' }", 1),
        ("- { scenario: x, outcome: pass, reason: r }", 1),
        ("- { scenario: x, outcome: fail, kind: slow, reason: r }", 1),
        ("- { scenario: x, outcome: unsupported, kind: wrong, reason: r }", 1),
        ("- { scenario: x, outcome: fail, reason: r, isue: 3 }", 1),
        ("- { scenario: x, outcome: unsupported, check: body, reason: r }", 1),
        ("- { scenario: x, outcome: skipped, found: body, reason: r }", 1),
        ("- { scenario: x, outcome: fail, check: [], reason: r }", 1),
        ("- { scenario: x, outcome: fail, check: { a: b }, reason: r }", 1),
        ("- { scenario: x, outcome: fail, found: '', reason: r }", 1),
        ("- { scenario: x, outcome: fail, reason: r }\n- { scenario: x, outcome: fail, reason: r }", 2),
        ("- { scenario: x", 1),
        (
            "- { scenario: '*', outcome: varies, kind: crash, found: a, reason: r }\n- { scenario: '*', outcome: varies, kind: crash, found: a, reason: s }",
            2
        ),
        ("- { scenario: '*', outcome: varies, kind: crash, reason: r }", 1),
        ("- { scenario: '*', outcome: fail, kind: crash, found: a, reason: r }", 1),
        ("- { scenario: '*', outcome: varies, kind: wrong, found: a, reason: r }", 1),
        ("- { outcome: fail, reason: r }", 1), ("- { scenario: x, outcome: fail, reason: '  ' }", 1),
        ("- { scenario: x, outcome: fail, reason: }", 1),
    ])
    func `an invalid baseline is refused with the line`(text: String, line: Int) throws {
        let error = #expect(throws: ScenarioError.self) { try Baseline.read(file: "a.yaml", text: text) }
        #expect(error?.place.file == "a.yaml")
        #expect(error?.place.line == line)
    }
}
