import Conformance
import Record

extension ConsoleReport {
    /// Returns the summary of the whole run, without a final newline.
    package func summary(_ suite: SuiteReport) -> String {
        var sections = [headline(suite)]
        sections += [
            unexpectedOutcomes(suite), baseline(suite), unsteady(suite), areas(suite), bases(suite),
            requirements(suite),
            slowest(suite), evidence(suite),
        ]
        return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
    }

    /// Returns the headline, which counts every outcome so that unsupported and skipped runs are not mistaken for
    /// passes.
    private func headline(_ suite: SuiteReport) -> [String] {
        let counts = suite.counts
        let verdict = suite.runs.isEmpty ? "Nothing was run" : suite.isAsExpected ? "As expected" : "Not as expected"
        let expected = suite.expectedFailures.count
        let failed = "\(counts.failed) failed" + (expected > 0 ? " (\(expected) of them expected)" : "")
        let numbers = [
            "\(counts.passed) passed", failed, "\(counts.unsupported) unsupported", "\(counts.skipped) skipped",
            counts.errors == 1 ? "1 error" : "\(counts.errors) errors",
        ]
        let color: ANSIStyle.Colour = suite.runs.isEmpty ? .yellow : suite.isAsExpected ? .green : .red
        return [
            paint("\(verdict):", color)
                + " \(counts.total) \(counts.total == 1 ? "run" : "runs") in \(TimeFormat.length(suite.elapsed)), "
                + numbers.joined(separator: ", ")
        ]
    }

    private func unexpectedOutcomes(_ suite: SuiteReport) -> [String] {
        let runs = suite.runs.filter { !$0.isAsExpected }
        guard !runs.isEmpty else { return [] }
        let rows = runs.map { run in
            [run.result.outcome.word, ConsoleReport.label(run.result.header), ConsoleReport.briefSummary(run)]
        }
        return [paint("Unexpected results", .bold)] + TextTable(rows).lines.map { "  " + $0 }
    }

    /// Returns the headline for a terminal, after the kind of a failure.
    static func briefSummary(_ run: ReportedRun) -> String {
        let kind = run.result.outcome.kindName.map { $0 == run.headline ? "" : "\($0): " } ?? ""
        return TerminalSanitizer.text(kind + run.headline(limit: 90))
    }

    private func baseline(_ suite: SuiteReport) -> [String] {
        var rows: [[String]] = []
        for run in suite.expectedFailures {
            guard case .expected(let reason) = run.baselineStatus else { continue }
            rows.append(["failed as expected", ConsoleReport.label(run.result.header), TerminalSanitizer.text(reason)])
        }
        for run in suite.unexpectedPasses {
            guard case .unexpectedPass(let reason) = run.baselineStatus else { continue }
            let fix = "\(TerminalSanitizer.text(reason)); if it keeps passing, remove its line"
            rows.append(["passed unexpectedly", ConsoleReport.label(run.result.header), fix])
        }
        for line in suite.staleBaselineLines {
            rows.append(["matches no scenario", "\(TerminalSanitizer.text(line)); remove or correct it"])
        }
        return rows.isEmpty ? [] : [paint("Baseline", .bold)] + TextTable(rows).lines.map { "  " + $0 }
    }

    private func unsteady(_ suite: SuiteReport) -> [String] {
        let lines = suite.unsteady.map {
            "  \(TerminalSanitizer.text($0.scenario)): \($0.outcomes.joined(separator: ", "))"
        }
        return lines.isEmpty ? [] : [paint("Flaky", .bold)] + lines
    }

    private func areas(_ suite: SuiteReport) -> [String] {
        table("By area", suite.areas.map { (TerminalSanitizer.text($0.name), OutcomeCounts($0.runs)) })
    }

    /// Returns the outcomes for each basis, and the number of checks that were left out.
    private func bases(_ suite: SuiteReport) -> [String] {
        table("By basis", suite.bases.map { ($0.basis.rawValue, OutcomeCounts($0.runs)) })
            + (suite.notJudged.map { ["  \($0) (-v lists them)"] } ?? [])
    }

    private func table(_ title: String, _ counted: [(name: String, counts: OutcomeCounts)]) -> [String] {
        guard !counted.isEmpty else { return [] }
        var rows = [["", "passed", "failed", "unsupported", "skipped", "errors"]]
        for (name, counts) in counted {
            rows.append(
                [name]
                    + [counts.passed, counts.failed, counts.unsupported, counts.skipped, counts.errors].map {
                        $0 == 0 ? "·" : "\($0)"
                    })
        }
        return [paint(title, .bold)] + TextTable(rows, rightAligned: [1, 2, 3, 4, 5]).lines.map { "  " + $0 }
    }

    private func requirements(_ suite: SuiteReport) -> [String] {
        let report = RequirementReport(suite)
        guard !report.lines.isEmpty else { return [] }
        let counts = RequirementReport.Status.allCases.map { "\(report.lines($0).count) \($0.description)" }
        var lines = [paint("By requirement", .bold) + ": \(counts.joined(separator: ", "))"]
        let rows = report.lines(.failed).map { line in
            [
                TerminalSanitizer.text(line.id), line.title.map { TerminalSanitizer.text($0, limit: 60) } ?? "",
                TerminalSanitizer.text(
                    line.evidence.filter { $0.outcome == "fail" }.map(\.scenario).uniqued.joined(separator: ", ")),
            ]
        }
        if !rows.isEmpty { lines += ["  failed"] + TextTable(rows).lines.map { "    " + $0 } }
        lines += ids(report, .unsupported) + ids(report, .proved)
        // Requirements that were not run are listed only when there are few; the summary file lists all of them.
        if report.lines(.notRun).count <= 24 { lines += ids(report, .notRun) }
        return lines
    }

    private func ids(_ report: RequirementReport, _ status: RequirementReport.Status) -> [String] {
        let ids = report.lines(status).map { TerminalSanitizer.text($0.id) }
        guard !ids.isEmpty else { return [] }
        var lines = ["  \(status.description)"]
        var line = "   "
        for id in ids {
            if line.count + 1 + id.count > 100 {
                lines.append(line)
                line = "   "
            }
            line += " " + id
        }
        return lines + [line]
    }

    private func slowest(_ suite: SuiteReport) -> [String] {
        let runs = suite.runs.filter { $0.result.duration > .zero }.sorted { $0.result.duration > $1.result.duration }
            .prefix(5)
        guard suite.runs.count > 5 else { return [] }
        let rows = runs.map { [TimeFormat.length($0.result.duration), ConsoleReport.label($0.result.header)] }
        return [paint("Slowest", .bold)] + TextTable(rows, rightAligned: [0]).lines.map { "  " + $0 }
    }

    private func evidence(_ suite: SuiteReport) -> [String] {
        suite.artifactDirectory.map { ["Records and captures: \(TerminalSanitizer.text($0))"] } ?? []
    }
}

extension Array where Element: Hashable {
    /// The distinct elements, in the order of their first occurrence.
    fileprivate var uniqued: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
