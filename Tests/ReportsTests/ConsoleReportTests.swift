import Conformance
import Record
import ScenarioLanguage
import Testing

@testable import Reports

struct ConsoleReportTests {
    private let console = ConsoleReport(colour: false, nameWidth: 22)

    @Test func `each run has a line, and a failure its evidence`() {
        #expect(Example.suite.runs.map(console.finished).joined(separator: "\n") == Golden.lines)
    }

    @Test func `the summary counts every outcome and lists unexpected results`() {
        #expect(console.summary(Example.suite) == Golden.summary)
    }

    @Test func `checks that were not judged are counted, and listed on request`() {
        var result = Example.result("a/b", "A", .pass, milliseconds: 5)
        result.header.basis = .rfc
        result.notJudged = [NotJudged(check: "redirect", line: 12, reason: .unreported(["willPerformRedirect"]))]
        let run = ReportedRun(result, record: [])
        let detail = "redirect (Scenarios/a/b.yaml:12): the client does not report willPerformRedirect"
        #expect(console.finished(run).hasSuffix("(1 not judged)"))
        let verbose = ConsoleReport(colour: false, isVerbose: true)
        #expect(verbose.finished(run).hasSuffix("(1 not judged)\n    not judged: \(detail)"))
        let suite = SuiteReport(runs: [run], startedAt: 0, elapsed: .zero)
        let summary = console.summary(suite)
        #expect(summary.contains("By basis\n"))
        #expect(summary.contains("  1 check was not judged (-v lists them)"))
        #expect(JUnitReport.xml(suite).contains(#"<property name="notJudged" value="\#(detail)"/>"#))
        #expect(JUnitReport.xml(suite).contains(#"<property name="basis" value="rfc"/>"#))
        let json = SummaryFile.json(suite)
        #expect(json.contains(#""notJudged""#))
        #expect(json.contains(#""reason": "the client does not report willPerformRedirect""#))
        #expect(json.contains(#""basis": "rfc""#))
        #expect(RunPage.html(run, record: []).contains("<li>\(detail)</li>"))
    }

    @Test func `colours appear only when enabled and change nothing else`() {
        var coloured = console
        coloured.colour = true
        let text = Example.suite.runs.map(coloured.finished).joined(separator: "\n") + coloured.summary(Example.suite)
        #expect(text.contains("\u{1b}[31mfail       \u{1b}[0m"))
        #expect(text.replacing(/\u{1b}\[[0-9]+m/, with: "") == Golden.lines + Golden.summary)
    }

    @Test func `text from an implementation is escaped for the terminal`() {
        let evil = "\u{1b}[2J\u{7}\u{9b}31m\u{202e}"
        let mismatch = Mismatch(check: evil, expected: evil + "\nsecond line", found: evil, evidence: [0])
        let record = [RecordEntry(time: 0, fact: .adapter(.standardError(evil)))]
        for outcome in [Outcome.fail(.wrong, [mismatch]), .unsupported(evil), .skipped(after: evil), .error(evil)] {
            let run = ReportedRun(
                Example.result("a/\(evil)", evil, proves: [evil], outcome, milliseconds: 1), record: record)
            let suite = SuiteReport(
                runs: [run], staleBaselineLines: [evil], startedAt: 0, elapsed: .zero, artifactDirectory: "out")
            var progress = ProgressLine(total: 1)
            progress.started(evil)
            let text = console.finished(run) + console.summary(suite) + progress.text(elapsed: .zero, width: 200)
            let controls = text.unicodeScalars.filter {
                $0.properties.generalCategory == .control || $0.properties.generalCategory == .format
            }
            #expect(Set(controls) == ["\n"])
        }
    }

    @Test func `an empty run is reported as empty`() {
        let suite = SuiteReport(runs: [], startedAt: 0, elapsed: .zero)
        #expect(
            console.summary(suite).hasPrefix(
                "Nothing was run: 0 runs in 0.00 s, 0 passed, 0 failed, 0 unsupported, 0 skipped, 0 errors"))
    }

    @Test func `a repetition shows its number`() {
        let run = ReportedRun(Example.result("a/b", "T", repetition: 3, .pass, milliseconds: 20), record: [])
        #expect(ConsoleReport(colour: false).finished(run) == "pass         a/b #3  0.02 s")
    }
}
