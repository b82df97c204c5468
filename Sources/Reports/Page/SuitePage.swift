import Conformance
import Record

/// The web page of a whole run: the counts by area and requirement, earlier runs beside it, each failure with picture and
/// excerpt, and a list of all runs with filters.
package enum SuitePage {
    package static let file = "index.html"
    /// Maximum number of failures with a picture, of failures in full, and of runs in the list, so that the page stays
    /// small enough for a browser. Every failure has a page of its own.
    private static let (mostPictures, mostFailures, mostFindings, mostRuns) = (60, 200, 4, 6000)

    /// - Parameter history: the earlier runs, without this one.
    package static func html(_ suite: SuiteReport, history: RunHistory) -> String {
        let failures = suite.runs.filter(\.isFailure).sorted {
            ($0.isAsExpected ? 1 : 0, $0.result.header.scenario, $0.result.header.repetition)
                < ($1.isAsExpected ? 1 : 0, $1.result.header.scenario, $1.result.header.repetition)
        }
        let body =
            heading(suite) + earlier(suite, history) + areas(suite) + requirements(suite) + list(suite, history)
            + details(failures)
        return PageFrame.page(title: suite.isAsExpected ? "As expected" : "Not as expected", script: script, body: body)
    }

    private static func heading(_ suite: SuiteReport) -> String {
        let counts = suite.counts
        let verdict = suite.runs.isEmpty ? "Nothing was run" : suite.isAsExpected ? "As expected" : "Not as expected"
        let adapters = Set(suite.runs.map { "adapter \($0.result.header.adapter)" }).sorted()
        let engines = Set(suite.runs.map { "\($0.result.header.engine) link engine" }).sorted()
        var facts =
            [TimeFormat.timestamp(suite.startedAt) + "Z", TimeFormat.length(suite.elapsed)] + adapters + engines
        if let folder = suite.artifactDirectory { facts.append("records in \(folder)") }
        var out = "<h1 class=\"\(suite.isAsExpected ? "pass" : "fail")\">\(verdict)</h1>\n"
        out += "<p class=\"wrap soft\">\(facts.map { PageFrame.text($0) }.joined(separator: " · "))</p>\n"
        out += "<div class=\"tiles\">"
        let expected = suite.expectedFailures.count
        let tiles: [(Int, String, String)] = [
            (counts.total, "runs", ""), (counts.passed, "passed", "pass"),
            (counts.failed, expected > 0 ? "failed (\(expected) expected)" : "failed", "fail"),
            (counts.errors, "errors", "error"), (counts.unsupported, "unsupported", "unsupported"),
            (counts.skipped, "skipped", "skipped"),
        ]
        for (count, title, word) in tiles {
            out += "<div class=\"tile\"><b class=\"\(count > 0 ? word : "soft")\">\(count)</b>\(title)</div>"
        }
        out += "</div>\n"
        if let notJudged = suite.notJudged { out += "<p class=\"soft\">\(notJudged)</p>\n" }
        for line in suite.staleBaselineLines { out += "<p class=\"found\">\(PageFrame.text(line))</p>\n" }
        for flaky in suite.unsteady {
            out += "<p class=\"found\">flaky: \(PageFrame.text(flaky.scenario)): "
            out += "\(PageFrame.text(flaky.outcomes.joined(separator: ", ")))</p>\n"
        }
        return out
    }

    /// This run and the earlier ones, newest first.
    private static func earlier(_ suite: SuiteReport, _ history: RunHistory) -> String {
        guard !history.suites.isEmpty else { return "" }
        var out = "<h2>This run and earlier ones</h2>\n<div class=\"scroll\"><table><tr><th>started</th><th>result</th>"
        out += "<th class=\"n\">passed</th><th class=\"n\">failed</th><th class=\"n\">errors</th>"
        out += "<th class=\"n wide\">unsupported</th><th class=\"n\">time</th><th class=\"wide\">adapter</th></tr>\n"
        for (number, earlier) in history.adding(suite).suites.reversed().enumerated() {
            out += "<tr><td>\(TimeFormat.timestamp(earlier.startedAt))Z\(number == 0 ? " (this run)" : "")</td>"
            out +=
                "<td class=\"\(earlier.isAsExpected ? "pass" : "fail")\">\(earlier.isAsExpected ? "as expected" : "not as expected")</td>"
            for word in ["pass", "fail", "error"] { out += "<td class=\"n\">\(earlier.count(word))</td>" }
            out += "<td class=\"n wide\">\(earlier.count("unsupported"))</td>"
            out += "<td class=\"n\">\(TimeFormat.length(.milliseconds(earlier.milliseconds)))</td>"
            out += "<td class=\"wide\">\(PageFrame.text(earlier.adapters.joined(separator: ", ")))</td></tr>\n"
        }
        return out + "</table></div>\n"
    }

    private static func areas(_ suite: SuiteReport) -> String {
        guard !suite.runs.isEmpty else { return "" }
        var out = "<h2>By family</h2>\n<div class=\"scroll\"><table><tr><th>family</th>"
        for title in ["passed", "failed", "unsupported", "skipped", "errors"] { out += "<th class=\"n\">\(title)</th>" }
        out += "</tr>\n"
        for area in suite.areas {
            let counts = OutcomeCounts(area.runs)
            let name = PageFrame.text(area.name)
            out += "<tr><td><a href=\"#runs\" data-area=\"\(name)\">\(name)</a></td>"
            let columns = [
                (counts.passed, "pass"), (counts.failed, "fail"), (counts.unsupported, "unsupported"),
                (counts.skipped, "skipped"), (counts.errors, "error"),
            ]
            for (count, word) in columns {
                out += "<td class=\"n \(count > 0 ? word : "soft")\">\(count == 0 ? "·" : "\(count)")</td>"
            }
            out += "</tr>\n"
        }
        return out + "</table></div>\n"
    }

    private static func requirements(_ suite: SuiteReport) -> String {
        let report = RequirementReport(suite)
        guard !report.lines.isEmpty else { return "" }
        let counts = RequirementReport.Status.allCases.map { "\(report.lines($0).count) \($0.description)" }
        var out = "<h2>By requirement <span class=\"soft\">\(counts.joined(separator: ", "))</span></h2>\n"
        for status in [RequirementReport.Status.failed, .unsupported, .proved, .notRun] {
            let lines = report.lines(status)
            guard !lines.isEmpty else { continue }
            out += "<details\(status == .failed ? " open" : "")><summary class=\"\(status.rawValue)\">"
            out += "\(status.description): \(lines.count)</summary>\n<table>"
            for line in lines {
                let scenarios = line.evidence.filter { status != .failed || $0.outcome == "fail" }.map(\.scenario)
                var named = Set(scenarios).sorted().prefix(4).joined(separator: ", ")
                if Set(scenarios).count > 4 { named += " and \(Set(scenarios).count - 4) more" }
                out +=
                    "<tr><td class=\"id\">\(PageFrame.text(line.id))</td><td class=\"what\">\(PageFrame.text(line.title ?? ""))</td>"
                out += "<td class=\"soft what wide\">\(PageFrame.text(named))</td></tr>\n"
            }
            out += "</table></details>\n"
        }
        return out
    }

    private static func list(_ suite: SuiteReport, _ history: RunHistory) -> String {
        guard !suite.runs.isEmpty else { return "" }
        let letters = history.letters
        var out = "<h2 id=\"runs\">Runs</h2>\n<div class=\"bar\">"
        let filters =
            [("unexpected", "not as expected")] + ["fail", "error", "unsupported", "skipped", "pass"].map { ($0, $0) }
        for (word, title) in filters {
            out += "<button data-k=\"\(word)\" aria-pressed=\"false\">\(title)</button>"
        }
        out += "<select aria-label=\"Family\"><option value=\"\">all families</option>"
        for area in suite.areas { out += "<option>\(PageFrame.text(area.name))</option>" }
        out +=
            "</select><input type=\"search\" placeholder=\"Search titles, ids, requirements (/)\" aria-label=\"Search\">"
        out += "<span class=\"shown soft\"></span></div>\n<table id=\"list\">"
        let runs = suite.areas.flatMap(\.runs)
        for run in runs.prefix(mostRuns) {
            let header = run.result.header
            let word = run.result.outcome.word
            out +=
                "<tr data-k=\"\(word)\(run.isAsExpected ? "" : " unexpected")\" data-a=\"\(PageFrame.text(run.area))\">"
            out += "<td class=\"outcome \(word)\">\(word)</td><td class=\"what\">"
            let label = PageFrame.text(ConsoleReport.label(header))
            out += run.page.map { "<a href=\"\(PageFrame.link($0))\">\(label)</a>" } ?? label
            out += "<div class=\"soft\">\(PageFrame.text(header.title))"
            if !header.proves.isEmpty { out += " · \(PageFrame.text(header.proves.joined(separator: " ")))" }
            if !run.notJudged.isEmpty { out += " · \(run.notJudged.count) not judged" }
            out += "</div>"
            if !run.headline.isEmpty {
                out += "<div class=\"wrap\">\(PageFrame.text(run.headline(limit: 160)))</div>"
            }
            out += "</td><td class=\"h wide\" data-h=\"\(letters[header.scenario] ?? "")\"></td>"
            out += "<td class=\"n\">\(TimeFormat.length(run.result.duration))</td></tr>\n"
        }
        out += "</table>\n"
        let rest = runs.count - mostRuns
        return rest > 0 ? out + "<p class=\"soft\">\(rest) more runs are in the summary file.</p>\n" : out
    }

    private static func details(_ failures: [ReportedRun]) -> String {
        guard !failures.isEmpty else { return "" }
        var out = "<h2>Failures</h2>\n"
        for (number, run) in failures.prefix(mostFailures).enumerated() {
            let header = run.result.header
            let label = PageFrame.text(ConsoleReport.label(header))
            out +=
                "<section class=\"card\"><h3><span class=\"outcome \(run.result.outcome.word)\">\(RunPage.word(run))</span> "
            out += (run.page.map { "<a href=\"\(PageFrame.link($0))\">\(label)</a>" } ?? label) + "</h3>\n"
            out += "<div>\(PageFrame.text(header.title))</div>\n"
            switch run.baselineStatus {
            case .expected(let reason):
                out += "<div class=\"soft\">expected by the baseline: \(PageFrame.text(reason))</div>\n"
            case .unexpectedPass: out += "<div class=\"found\">\(PageFrame.text(run.headline))</div>\n"
            case .otherwise(let listed):
                out += "<div class=\"soft\">the baseline expects \(PageFrame.text(listed))</div>\n"
            case .unlisted: break
            }
            if let timeline = run.timeline, number < mostPictures {
                out += "<div class=\"scroll picture\">\(TimelinePicture.svg(timeline, isAlone: false))</div>\n"
            }
            let findings = run.findings
            out += PageFrame.findings(findings.prefix(mostFindings))
            if findings.count > mostFindings {
                out += "<p class=\"soft\">and \(findings.count - mostFindings) more findings</p>\n"
            }
            out += "<details><summary class=\"soft\">Conditions and files</summary><pre>"
            out += run.provenance.map { PageFrame.text($0) }.joined(separator: "\n") + "</pre></details></section>\n"
        }
        let rest = failures.count - mostFailures
        return rest > 0 ? out + "<p class=\"soft\">\(rest) more failures are in the list of runs.</p>\n" : out
    }

    private static let script = """
        \(PageFrame.filter)
        const list = filters('#list tr');
        for (const link of document.querySelectorAll('a[data-area]')) link.addEventListener('click', () => {
          if (list && list.area) { list.area.value = link.dataset.area; list.apply(); }
        });
        const words = { p: 'pass', f: 'fail', e: 'error', u: 'unsupported', s: 'skipped', '-': 'not run' };
        for (const cell of document.querySelectorAll('td[data-h]')) for (const letter of cell.dataset.h) {
          const mark = document.createElement('span');
          mark.className = letter == '-' ? '' : letter;
          mark.title = words[letter] || '';
          cell.append(mark);
        }
        """
}
