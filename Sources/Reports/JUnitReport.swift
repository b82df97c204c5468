import Record
import Conformance

/// The report as JUnit XML for CI systems. Green means as expected: a known failure is *skipped* with its reason, and
/// its full text is in `system-out`; an unexpected pass is a failure.
package enum JUnitReport {
    package static func xml(_ suite: SuiteReport) -> String {
        let areas = suite.areas
        var out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        let all = Totals(suite.runs)
        out += "<testsuites name=\"crosswind\"\(all.attributes) time=\"\(TimeFormat.seconds(suite.elapsed))\">\n"
        for area in areas {
            let totals = Totals(area.runs)
            out +=
                "  <testsuite name=\"\(XMLEscaping.attribute(area.name))\"\(totals.attributes) time=\"\(TimeFormat.seconds(totals.time))\""
            out += " timestamp=\"\(TimeFormat.timestamp(suite.startedAt))\">\n"
            for (name, run) in zip(names(area.runs), area.runs) { out += testcase(run, name: name) }
            out += "  </testsuite>\n"
        }
        if !suite.staleBaselineLines.isEmpty {
            out +=
                "  <testsuite name=\"baseline\" tests=\"0\" failures=\"0\" errors=\"0\" skipped=\"0\" time=\"0.000\">\n"
            let lines = suite.staleBaselineLines.map { "matches no scenario: \($0)" }
            out +=
                "    <system-out>\(XMLEscaping.content(lines.joined(separator: "\n")))</system-out>\n  </testsuite>\n"
        }
        return out + "</testsuites>\n"
    }

    /// The JUnit form of a run's result.
    private enum Verdict {
        case passed
        case failure(type: String, message: String, text: String)
        case error(message: String, text: String)
        case skipped(message: String, output: String?)
    }

    private struct Totals {
        var tests = 0, failures = 0, errors = 0, skipped = 0
        var time = Duration.zero
        init(_ runs: [ReportedRun]) {
            for run in runs {
                tests += 1
                time += run.result.duration
                switch verdict(run) {
                case .passed: break
                case .failure: failures += 1
                case .error: errors += 1
                case .skipped: skipped += 1
                }
            }
        }
        var attributes: String {
            " tests=\"\(tests)\" failures=\"\(failures)\" errors=\"\(errors)\" skipped=\"\(skipped)\""
        }
    }

    private static func verdict(_ run: ReportedRun) -> Verdict {
        let text = (run.findings + run.provenance).joined(separator: "\n")
        switch (run.result.outcome, run.baselineStatus) {
        case (.pass, .unlisted), (.pass, .expected), (.pass, .otherwise): return .passed
        case (.pass, .unexpectedPass(let reason)):
            let message = "passed, but the baseline expects a failure: \(reason)"
            return .failure(
                type: "unexpectedPass", message: message,
                text: "\(message)\nIf it keeps passing, remove its line from the baseline.\n\(text)")
        case (.fail(let kind, _), .expected(let reason)):
            return .skipped(message: "expected failure: \(reason)", output: "\(kind.rawValue)\n\(text)")
        case (.fail(let kind, let mismatches), _):
            let first =
                mismatches.first.map { "\($0.check): expected \($0.expected), found \($0.found)" } ?? kind.rawValue
            return .failure(
                type: kind.rawValue,
                message: mismatches.count > 1 ? "\(first) (and \(mismatches.count - 1) more)" : first, text: text)
        case (.unsupported(let what), _): return .skipped(message: "unsupported: \(what)", output: nil)
        case (.skipped(let after), _): return .skipped(message: "\(after) did not pass", output: nil)
        case (.error(let cause), _): return .error(message: cause, text: text)
        }
    }

    /// Returns names that are unique within an area: repetitions are numbered, and differing adapters or engines are
    /// appended.
    private static func names(_ runs: [ReportedRun]) -> [String] {
        let repeated = Dictionary(
            runs.map { ($0.result.header.scenario, $0.result.header.repetition) }, uniquingKeysWith: max)
        let kinds = Dictionary(grouping: runs, by: \.result.header.scenario).mapValues { runs in
            (Set(runs.map(\.result.header.adapter)).count > 1, Set(runs.map(\.result.header.engine)).count > 1)
        }
        return runs.map { run in
            let header = run.result.header
            var remarks: [String] = []
            if kinds[header.scenario]?.0 == true { remarks.append(header.adapter) }
            if kinds[header.scenario]?.1 == true { remarks.append(header.engine) }
            if (repeated[header.scenario] ?? 1) > 1 { remarks.append("repetition \(header.repetition)") }
            return run.name + (remarks.isEmpty ? "" : " (\(remarks.joined(separator: ", ")))")
        }
    }

    private static func testcase(_ run: ReportedRun, name: String) -> String {
        let header = run.result.header
        // JUnit readers interpret dots as package levels.
        let className = run.area.split(separator: "/").joined(separator: ".")
        var out =
            "    <testcase classname=\"\(XMLEscaping.attribute(className))\" name=\"\(XMLEscaping.attribute(name))\""
        out += " time=\"\(TimeFormat.seconds(run.result.duration))\" file=\"\(XMLEscaping.attribute(header.file))\">\n"
        var properties = [
            ("title", header.title), ("adapter", header.adapter), ("engine", header.engine),
            ("seed", String(header.seed)),
            ("proves", header.proves.joined(separator: " ")), ("outcome", run.result.outcome.word),
        ]
        if !header.cites.isEmpty { properties.append(("cites", header.cites.joined(separator: "; "))) }
        if let report = header.report { properties.append(("report", report)) }
        if let basis = header.basis { properties.append(("basis", basis.rawValue)) }
        if header.profile != .urlsession { properties.append(("profile", header.profile.rawValue)) }
        for check in run.notJudged { properties.append(("notJudged", check)) }
        for condition in run.conditions { properties.append(("condition \(condition.place)", condition.text)) }
        if let file = run.result.recordFile { properties.append(("record", file)) }
        if let file = run.result.captureFile { properties.append(("capture", file)) }
        out += "      <properties>\n"
        for (name, value) in properties {
            out += "        <property name=\"\(name)\" value=\"\(XMLEscaping.attribute(value))\"/>\n"
        }
        out += "      </properties>\n"
        switch verdict(run) {
        case .passed: break
        case .failure(let type, let message, let text):
            out +=
                "      <failure type=\"\(XMLEscaping.attribute(type))\" message=\"\(XMLEscaping.attribute(message))\">"
            out += "\(XMLEscaping.content(text))</failure>\n"
        case .error(let message, let text):
            out +=
                "      <error type=\"error\" message=\"\(XMLEscaping.attribute(message))\">\(XMLEscaping.content(text))</error>\n"
        case .skipped(let message, let output):
            out += "      <skipped message=\"\(XMLEscaping.attribute(message))\"/>\n"
            if let output { out += "      <system-out>\(XMLEscaping.content(output))</system-out>\n" }
        }
        return out + "    </testcase>\n"
    }
}
