import Conformance
import Foundation
import Record
import Testing

@testable import Reports

@Suite struct GitHubReportTests {
    @Test func `an unexpected result is an error at the line of its first finding`() {
        let lines = GitHubReport.annotations(Example.suite)
        #expect(lines.count == 4)
        #expect(
            lines[0].hasPrefix(
                "::error file=Scenarios/resume/reset-at-byte.yaml,line=23,title=fail%3A resume/reset-at-byte::"
                    + "A download reset at byte 65,536 resumes from the bytes it holds%0AresumeOffset: expected second."
            ))
        #expect(lines[0].contains("%0A1. resumeOffset (Scenarios/resume/reset-at-byte.yaml:23)%0A"))
        #expect(lines[1].hasPrefix("::error file=Scenarios/order/redirect.yaml,title=pass%3A order/redirect::"))
        #expect(lines[2].contains("the lab could not be built"))
        #expect(
            lines[3] == "::warning title=baseline::matches no scenario: baseline/foundation.yaml:12: resume/renamed")
    }

    @Test func `text from an implementation cannot be a command`() {
        let evil = "x\n::error::y\r,:%"
        let mismatch = Mismatch(check: evil, line: 1, expected: evil, found: evil)
        let run = ReportedRun(
            Example.result("a/\(evil)", evil, .fail(.wrong, [mismatch]), milliseconds: 1), record: [])
        let suite = SuiteReport(runs: [run], staleBaselineLines: [evil], startedAt: 0, elapsed: .zero)
        let lines = GitHubReport.annotations(suite)
        #expect(lines.count == 2)
        #expect(lines.allSatisfy { !$0.contains("\n") && !$0.contains("\r") })
        let properties = lines[0].prefix(while: { $0 != " " }) + lines[0].split(separator: "::")[0]
        #expect(!properties.contains("y\r"))
    }

    @Test func `at most ten errors are annotated`() {
        let runs = (0..<30).map {
            ReportedRun(Example.result("a/\($0)", "T", .error("x"), milliseconds: 1), record: [])
        }
        let suite = SuiteReport(runs: runs, startedAt: 0, elapsed: .zero)
        #expect(GitHubReport.annotations(suite).count == GitHubReport.mostAnnotations)
        #expect(GitHubReport.summary(suite).components(separatedBy: "<details>").count - 1 == 30)
    }

    @Test func `the summary shows the findings of the console`() {
        let summary = GitHubReport.summary(Example.suite)
        #expect(summary.hasPrefix("## Crosswind: not as expected\n\n| runs | passed |"))
        #expect(summary.contains("| 7 | 2 | 2 | 1 | 1 | 1 | 1 min 05.6 s |"))
        for line in Example.suite.runs[1].findingLines { #expect(summary.contains(XMLEscaping.content(line))) }
        // An expected failure needs no look.
        #expect(!summary.contains("order/body"))
    }

    @Test func `the summary and the page count the checks that were not judged`() {
        var suite = Example.suite
        #expect(!GitHubReport.summary(suite).contains("not judged"))
        suite.runs[0].result.notJudged = [NotJudged(check: "callbacks", line: 9, reason: .unreported(["didComplete"]))]
        #expect(GitHubReport.summary(suite).contains("1 check was not judged; the records list them."))
        let page = SuitePage.html(suite, history: RunHistory())
        #expect(page.contains("<p class=\"soft\">1 check was not judged</p>"))
        #expect(page.contains(" · 1 not judged</div>"))
    }

    @Test func `the summary stays below the limit of GitHub`() {
        let run = Example.suite.runs[1]
        let suite = SuiteReport(runs: Array(repeating: run, count: 3000), startedAt: 0, elapsed: .zero)
        let summary = GitHubReport.summary(suite)
        #expect(summary.utf8.count < 1 << 20)
        #expect(summary.contains("more results are in the log and the records."))
    }
}
