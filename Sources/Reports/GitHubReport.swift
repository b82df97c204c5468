import Conformance
import Record

/// The report for GitHub Actions: annotations at the lines of scenarios, and a job summary. Both show what the console
/// and JUnit show.
/// Workflow commands: https://docs.github.com/actions/reference/workflow-commands-for-github-actions
package enum GitHubReport {
    /// GitHub shows at most ten errors and ten warnings of a step; the rest are in the summary.
    static let mostAnnotations = 10
    /// The limit of a step's summary is 1 MiB; what is longer is not shown at all.
    static let longestSummary = 900_000

    /// Returns one line for each unexpected result, and one for each line of the baseline that matches nothing.
    package static func annotations(_ suite: SuiteReport) -> [String] {
        let errors = suite.runs.filter { !$0.isAsExpected }.map { run in
            let header = run.result.header
            var properties = "file=\(property(header.file))"
            if let line = run.findings.lazy.compactMap(\.line).first { properties += ",line=\(line)" }
            properties += ",title=\(property("\(run.result.outcome.word): \(ConsoleReport.label(header))"))"
            let text = ([header.title, run.headline] + run.findingLines).joined(separator: "\n")
            return "::error \(properties)::\(data(text))"
        }
        let warnings = suite.staleBaselineLines.map {
            "::warning title=baseline::\(data("matches no scenario: \($0)"))"
        }
        return Array(errors.prefix(mostAnnotations) + warnings.prefix(mostAnnotations))
    }

    /// Returns the summary as Markdown.
    package static func summary(_ suite: SuiteReport) -> String {
        let counts = suite.counts
        let verdict = suite.runs.isEmpty ? "nothing was run" : suite.isAsExpected ? "as expected" : "not as expected"
        var out = "## Crosswind: \(verdict)\n\n"
        out += "| runs | passed | failed | unsupported | skipped | errors | time |\n|--:|--:|--:|--:|--:|--:|--:|\n"
        let numbers = [
            counts.total, counts.passed, counts.failed, counts.unsupported, counts.skipped, counts.errors,
        ]
        out += "| \(numbers.map(String.init).joined(separator: " | ")) | \(TimeFormat.length(suite.elapsed)) |\n\n"
        if let notJudged = suite.notJudged { out += "\(notJudged); the records list them.\n\n" }
        let unexpected = suite.runs.filter { !$0.isAsExpected }
        var leftOut = 0
        for run in unexpected {
            let header = run.result.header
            var part =
                "<details><summary><b>\(run.result.outcome.word)</b> <code>\(text(ConsoleReport.label(header)))</code> "
            part += "\(text(run.headline(limit: 160)))</summary>\n\n"
            part += "<p>\(text(header.title))</p>\n<pre>"
            part += (run.findingLines + run.provenance).map(text).joined(separator: "\n") + "</pre>\n</details>\n\n"
            if out.utf8.count + part.utf8.count > longestSummary { leftOut += 1 } else { out += part }
        }
        if leftOut > 0 { out += "\(leftOut) more results are in the log and the records.\n\n" }
        for line in suite.staleBaselineLines { out += "- baseline: matches no scenario: <code>\(text(line))</code>\n" }
        for flaky in suite.unsteady {
            out += "- flaky: <code>\(text(flaky.scenario))</code>: \(text(flaky.outcomes.joined(separator: ", ")))\n"
        }
        return out
    }

    /// Escapes text for HTML inside of Markdown. An empty line would end the block of HTML, so it becomes a space.
    private static func text(_ text: String) -> String {
        let line = XMLEscaping.content(TerminalSanitizer.text(text, limit: 1000))
        return line.isEmpty ? " " : line
    }

    /// Escapes the message of a workflow command.
    private static func data(_ text: String) -> String {
        text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }

    /// Escapes the value of a property of a workflow command, where commas and colons end it.
    private static func property(_ text: String) -> String {
        data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}
