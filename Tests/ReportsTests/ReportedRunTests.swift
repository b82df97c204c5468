import Record
import ScenarioLanguage
import Conformance
import Testing

@testable import Reports

struct ReportedRunTests {
    private static func run(
        _ outcome: Outcome, _ baselineStatus: Baseline.BaselineStatus = .unlisted, scenario: String = "a/b"
    ) -> ReportedRun {
        ReportedRun(
            Example.result(scenario, "T", outcome, milliseconds: 1), baselineStatus: baselineStatus,
            record: Example.record)
    }

    @Test func `only expected outcomes leave the suite green`() {
        let known = Baseline.BaselineStatus.expected(reason: "r")
        let unexpected = Baseline.BaselineStatus.unexpectedPass(reason: "r")
        let otherwise = Baseline.BaselineStatus.otherwise(listed: "fail (wrong)")
        let green: [ReportedRun] = [
            Self.run(.pass), Self.run(.fail(.wrong, []), known), Self.run(.unsupported("x")),
            Self.run(.skipped(after: "x")),
            Self.run(.unsupported("x"), known), Self.run(.skipped(after: "x"), otherwise),
        ]
        let red: [ReportedRun] = [
            Self.run(.fail(.crash, []), otherwise), Self.run(.unsupported("x"), otherwise),
            Self.run(.fail(.wrong, [])), Self.run(.pass, unexpected), Self.run(.error("x")),
            Self.run(.error("x"), known),
        ]
        for run in green { #expect(run.isAsExpected) }
        for run in red { #expect(!run.isAsExpected) }
        #expect(SuiteReport(runs: green, staleBaselineLines: ["x"], startedAt: 0, elapsed: .zero).isAsExpected)
        #expect(!SuiteReport(runs: green + red.prefix(1), startedAt: 0, elapsed: .zero).isAsExpected)
    }

    @Test func `the area is the folder`() {
        #expect(Self.run(.pass, scenario: "a/b/c").area == "a/b")
        #expect(Self.run(.pass, scenario: "a/b/c").name == "c")
        #expect(Self.run(.pass, scenario: "c").area == "scenarios")
    }

    @Test func `a failure without a record or mismatch can be reported`() {
        let silent = ReportedRun(
            Example.result("a/b", "T", .error("no lab"), milliseconds: 1, recorded: false), record: [])
        #expect(silent.findingLines == ["the run could not be judged: no lab"])
        #expect(Self.run(.fail(.hang, [])).findings.isEmpty)
    }

    @Test func `scenarios with differing outcomes are listed as flaky`() {
        var runs = [Outcome.pass, .pass, .fail(.wrong, [])].enumerated().map { index, outcome in
            ReportedRun(Example.result("a/b", "T", repetition: index + 1, outcome, milliseconds: 1), record: [])
        }
        runs += [1, 2].map {
            ReportedRun(Example.result("a/c", "T", repetition: $0, .pass, milliseconds: 1), record: [])
        }
        let suite = SuiteReport(runs: runs.reversed(), startedAt: 0, elapsed: .zero)
        #expect(suite.unsteady.map(\.scenario) == ["a/b"])
        #expect(suite.unsteady.first?.outcomes == ["pass", "pass", "fail"])
        #expect(ConsoleReport(colour: false).summary(suite).contains("Flaky\n  a/b: pass, pass, fail"))
    }

    /// Each outcome alone would be expected; the difference is not.
    @Test func `repetitions that fail in different ways are flaky`() {
        let runs = [Outcome.FailureKind.wrong, .hang].enumerated().map { index, kind in
            ReportedRun(
                Example.result("a/b", "T", repetition: index + 1, .fail(kind, []), milliseconds: 1),
                baselineStatus: .expected(reason: "r"), record: [])
        }
        let suite = SuiteReport(runs: runs, startedAt: 0, elapsed: .zero)
        #expect(suite.isAsExpected)
        #expect(suite.unsteady.first?.outcomes == ["fail (wrong)", "fail (hang)"])
        #expect(SuiteReport(runs: [runs[0], runs[0]], startedAt: 0, elapsed: .zero).unsteady.isEmpty)
    }
}
