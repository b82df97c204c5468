import Conformance
import Record
import ScenarioLanguage
import Testing

@testable import Reports

/// The status of a requirement follows from all scenarios that prove it; the dangerous mistake is a false "proved".
struct RequirementReportTests {
    private static func status(_ outcomes: [Outcome]) throws -> RequirementReport.Status {
        let runs = outcomes.enumerated().map { index, outcome in
            ReportedRun(
                Example.result("a/\(index)", "T", proves: ["X-01", "X-01"], outcome, milliseconds: 1), record: [])
        }
        let report = RequirementReport(
            SuiteReport(runs: runs, requirementTitles: ["X-01": "T"], startedAt: 0, elapsed: .zero))
        let line = try #require(report.lines.first)
        #expect(report.lines.count == 1 && line.evidence.map(\.outcome) == outcomes.map(\.word))
        return line.status
    }

    @Test(
        arguments: [
            ([], RequirementReport.Status.notRun), ([.pass], .proved), ([.pass, .pass], .proved),
            ([.pass, .unsupported("x")], .proved),
            ([.unsupported("x")], .unsupported), ([.pass, .fail(.wrong, [])], .failed),
            ([.pass, .error("x")], .notRun),
            ([.pass, .skipped(after: "b")], .notRun), ([.error("x"), .fail(.hang, [])], .failed),
            ([.unsupported("x"), .skipped(after: "b")], .notRun),
        ] as [([Outcome], RequirementReport.Status)])
    func `the status combines the outcomes of all scenarios`(outcomes: [Outcome], expected: RequirementReport.Status)
        throws
    {
        #expect(try Self.status(outcomes) == expected)
    }

    @Test func `an expected failure proves nothing`() {
        let run = ReportedRun(
            Example.result("a", "T", proves: ["X-01"], .fail(.wrong, []), milliseconds: 1),
            baselineStatus: .expected(reason: "r"), record: [])
        let report = RequirementReport(SuiteReport(runs: [run], startedAt: 0, elapsed: .zero))
        #expect(report.lines(.failed).map(\.id) == ["X-01"])
    }

    @Test func `requirement ids sort by their numbers`() {
        let titles = Dictionary(uniqueKeysWithValues: ["DNLD-10", "DNLD-9", "CONN-06", "odd"].map { ($0, "") })
        let report = RequirementReport(SuiteReport(runs: [], requirementTitles: titles, startedAt: 0, elapsed: .zero))
        #expect(report.lines.map(\.id) == ["CONN-06", "DNLD-9", "DNLD-10", "odd"])
    }
}
