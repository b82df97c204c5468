import Testing

@testable import Scenario

/// Tests of each kind of unexpected outcome, and of the same outcome with a line that expects it.
@Suite struct BaselineTests {
    private static let text = """
        - { scenario: resume/known, outcome: fail, kind: wrong, reason: "issue 12" }
        - { scenario: resume/any, outcome: fail, reason: "issue 13" }
        - { scenario: tls/none, outcome: unsupported, reason: "no TLS" }
        """

    private static func result(_ scenario: String, _ outcome: Outcome, repetition: Int = 1) -> RunResult {
        RunResult(
            header: RunHeader(
                scenario: scenario, file: "\(scenario).yaml", title: "", proves: [], adapter: "a", engine: "kernel",
                seed: 1,
                repetition: repetition), tags: [], outcome: outcome, duration: .zero, recordFile: nil, captureFile: nil)
    }
    private static func compare(_ results: [RunResult], among: Set<String>? = nil) throws -> BaselineComparison {
        try Baseline.read(file: "a.yaml", text: text).compare(results, among: among)
    }

    @Test func `a listed outcome is expected`() throws {
        let comparison = try Self.compare([
            Self.result("resume/known", .fail(.wrong, [])), Self.result("resume/any", .fail(.hang, [])),
            Self.result("tls/none", .unsupported("tls")), Self.result("order/fine", .pass),
            Self.result("order/not", .unsupported("x")),
            Self.result("order/after", .skipped(after: "resume/known")),
        ])
        #expect(comparison.unexpected.isEmpty && comparison.stale.isEmpty)
        #expect(comparison.exitStatus == 0)
    }

    @Test(
        arguments: [
            ("order/new", .fail(.wrong, []), .failure), ("resume/known", .pass, .pass(reason: "issue 12")),
            ("resume/known", .fail(.crash, []), .otherwise(listed: "fail (wrong)")),
            ("resume/known", .unsupported("x"), .otherwise(listed: "fail (wrong)")),
            ("tls/none", .pass, .pass(reason: "no TLS")),
            ("tls/none", .fail(.wrong, []), .otherwise(listed: "unsupported")),
            ("resume/known", .error("no disk"), .error),
            ("order/new", .error("no disk"), .error),
        ] as [(String, Outcome, BaselineComparison.UnexpectedOutcome)])
    func `an unlisted outcome is unexpected`(
        scenario: String, outcome: Outcome, surprise: BaselineComparison.UnexpectedOutcome
    ) throws {
        let comparison = try Self.compare([Self.result("order/fine", .pass), Self.result(scenario, outcome)])
        #expect(comparison.unexpected.map(\.unexpected) == [surprise])
        #expect(comparison.unexpected.map(\.result.header.scenario) == [scenario])
        #expect(comparison.exitStatus == 1)
    }

    @Test func `unexpected failures and passes are distinguished`() throws {
        let comparison = try Self.compare([
            Self.result("order/new", .fail(.wrong, [])), Self.result("resume/any", .pass),
        ])
        #expect(comparison.unexpectedFailures.map(\.header.scenario) == ["order/new"])
        #expect(comparison.unexpectedPasses.map(\.header.scenario) == ["resume/any"])
    }

    @Test func `a skipped scenario does not affect its line`() throws {
        #expect(try Self.compare([Self.result("resume/known", .skipped(after: "x"))]).exitStatus == 0)
    }

    @Test func `a line without a matching scenario is reported and does not count as an outcome`() throws {
        let results = [Self.result("order/fine", .pass)]
        let all: Set = ["order/fine", "resume/known", "resume/any"]
        #expect(try Self.compare(results, among: all).stale.map(\.scenario) == ["tls/none"])
        #expect(try Self.compare(results, among: all).stale.map(\.line) == [3])
        #expect(try Self.compare(results).stale.count == 3)
        #expect(try Self.compare(results).exitStatus == 0)
    }

    /// Each outcome alone would be expected; the difference is unexpected.
    @Test func `repetitions with different outcomes are unexpected`() throws {
        let comparison = try Self.compare([
            Self.result("resume/any", .fail(.wrong, [])), Self.result("resume/any", .fail(.hang, []), repetition: 2),
        ])
        #expect(comparison.unexpected.map(\.unexpected) == [.unsteady(outcomes: ["fail (wrong)", "fail (hang)"])])
        #expect(comparison.exitStatus == 1)
        let steady = try Self.compare([
            Self.result("resume/any", .fail(.wrong, [])), Self.result("resume/any", .fail(.wrong, []), repetition: 2),
        ])
        #expect(steady.exitStatus == 0)
    }

    @Test func `a pass does not compensate for a failure`() throws {
        let comparison = try Self.compare([
            Self.result("order/new", .fail(.wrong, [])), Self.result("order/new", .pass, repetition: 2),
            Self.result("order/new", .pass, repetition: 3),
        ])
        #expect(
            comparison.unexpected.map(\.unexpected) == [
                .failure, .unsteady(outcomes: ["fail (wrong)", "pass", "pass"]),
            ])
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
        ("- { scenario: x, outcome: fail, reason: r }\n- { scenario: x, outcome: fail, reason: r }", 2),
        ("- { scenario: x", 1),
        ("- { outcome: fail, reason: r }", 1), ("- { scenario: x, outcome: fail, reason: '  ' }", 1),
        ("- { scenario: x, outcome: fail, reason: }", 1),
    ])
    func `an invalid baseline is refused with the line`(text: String, line: Int) throws {
        let error = #expect(throws: ScenarioError.self) { try Baseline.read(file: "a.yaml", text: text) }
        #expect(error?.place.file == "a.yaml")
        #expect(error?.place.line == line)
    }
}
