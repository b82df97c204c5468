package import Record
package import Conformance

/// A run with the data that reports need in addition to its result. Created when the run ends, so that its record need
/// not be kept in memory.
package struct ReportedRun: Hashable, Sendable {
    package var result: RunResult
    /// The relation to the adapter's baseline file.
    package var baselineStatus: Baseline.BaselineStatus
    /// One excerpt for each mismatch; for an error, the end of the record. Empty when nothing went wrong or nothing was
    /// recorded.
    package var excerpts: [Excerpt]
    /// The conditions requested for the links, with their measurements.
    package var conditions: [RequestedCondition]
    /// The timeline of a failure, for its picture.
    package private(set) var timeline: RunTimeline?
    /// The path of the run's web page, relative to the suite's page; nil if there is none.
    package var page: String?

    package init(_ result: RunResult, baselineStatus: Baseline.BaselineStatus = .unlisted, record: [RecordEntry]) {
        self.result = result
        self.baselineStatus = baselineStatus
        excerpts = []
        conditions = RequestedCondition.all(in: record)
        guard !record.isEmpty else { return }
        switch result.outcome {
        case .pass, .unsupported, .skipped: break
        case .fail(_, let mismatches):
            excerpts = mismatches.map { Excerpt(of: record, evidence: $0.evidence) }
            timeline = ReportedRun.picture(record)
        case .error:
            excerpts = [Excerpt(of: record, evidence: [])]
            timeline = ReportedRun.picture(record)
        }
    }

    /// Returns a timeline that is small enough for a page with many of them.
    private static func picture(_ record: [RecordEntry]) -> RunTimeline {
        RunTimeline(record).reduced(lanes: 14, markers: 40)
    }

    /// True for a result that needs a look: a failure or an error, expected or not.
    package var isFailure: Bool {
        switch result.outcome {
        case .fail, .error: true
        case .pass, .unsupported, .skipped: baselineStatus.isUnexpectedPass
        }
    }

    /// The file of the run's web page in a folder of pages. Every character outside of a small set is replaced by its
    /// number, so that different runs have different files on every file system.
    package var pageFile: String {
        var name = ""
        for scalar in result.header.scenario.unicodeScalars {
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-", "_", "/": name.unicodeScalars.append(scalar)
            default: name += "~" + String(scalar.value, radix: 16)
            }
        }
        let repetition = result.header.repetition > 1 ? "~r\(result.header.repetition)" : ""
        return "runs/" + name + repetition + ".html"
    }

    /// True when this run does not make the suite fail. An error never is as expected; a skipped run always is, because
    /// the scenario that it depends on is reported.
    package var isAsExpected: Bool {
        switch (result.outcome, baselineStatus) {
        case (.error, _), (.fail, .unlisted): false
        case (.skipped, _), (_, .expected), (.pass, .unlisted), (.unsupported, .unlisted): true
        case (_, .unexpectedPass), (_, .otherwise): false
        }
    }

    /// The folder of the scenario.
    package var area: String {
        let parts = result.header.scenario.split(separator: "/").dropLast()
        return parts.isEmpty ? "scenarios" : parts.joined(separator: "/")
    }

    /// The name of the scenario within its area.
    package var name: String {
        result.header.scenario.split(separator: "/").last.map(String.init) ?? result.header.scenario
    }

    package var mismatches: [Mismatch] {
        switch result.outcome {
        case .fail(_, let mismatches): mismatches
        case .pass, .unsupported, .skipped, .error: []
        }
    }

    /// A mismatch, or the cause of an error, with its excerpt. All reports format these.
    package struct Finding: Hashable, Sendable {
        /// The check's key or the invariant's name; nil for an error.
        package var check: String?
        package var file: String
        /// The line of the scenario file; nil for what is always checked.
        package var line: Int?
        /// Empty for an error.
        package var expected: String
        package var found: String
        package var excerpt: Excerpt?

        /// Returns the finding in one line, with at most `limit` characters of each value. The expectation of a crash is
        /// always the same, so it is left out.
        package func summary(limit: Int = .max) -> String {
            guard let check, check != "crash" else {
                return TerminalSanitizer.cut(found, to: limit < 200 ? 200 : limit)
            }
            return
                "\(check): expected \(TerminalSanitizer.cut(expected, to: limit)), found \(TerminalSanitizer.cut(found, to: limit))"
        }
    }

    /// Empty when nothing went wrong.
    package var findings: [Finding] {
        let header = result.header
        return switch result.outcome {
        case .pass, .unsupported, .skipped: []
        case .error(let cause):
            [Finding(file: header.file, expected: "", found: cause, excerpt: excerpts.first)]
        case .fail(_, let mismatches):
            mismatches.enumerated().map { index, mismatch in
                Finding(
                    check: mismatch.check, file: header.file, line: mismatch.line, expected: mismatch.expected,
                    found: mismatch.found, excerpt: excerpts.indices.contains(index) ? excerpts[index] : nil)
            }
        }
    }

    /// The result in one line: the first finding with the number of the others, or the reason. Empty for a plain pass.
    package var headline: String { headline(limit: .max) }

    /// Returns the headline with at most `limit` characters of each value.
    func headline(limit: Int) -> String {
        switch (result.outcome, baselineStatus) {
        case (.pass, .unexpectedPass(let reason)): return "passed, but the baseline expects a failure: \(reason)"
        case (.pass, .unlisted), (.pass, .expected), (.pass, .otherwise): return ""
        case (.fail(let kind, _), _):
            let findings = findings
            guard let first = findings.first else { return kind.rawValue }
            return first.summary(limit: limit) + (findings.count > 1 ? " (and \(findings.count - 1) more)" : "")
        case (.unsupported(let what), _): return what
        case (.skipped(let after), _): return "\(after) did not pass"
        case (.error(let cause), _): return cause
        }
    }

    /// The findings as lines: expected and found values with the record's evidence; empty when nothing went wrong.
    package var findingLines: [String] {
        let findings = findings
        let isNumbered = findings.count > 1
        var lines: [String] = []
        var reported: Set<String> = []
        for (index, finding) in findings.enumerated() {
            var body: [String] = []
            if let check = finding.check {
                let place = finding.line.map { "\(finding.file):\($0)" } ?? "always checked"
                lines.append(
                    "\(isNumbered ? "\(index + 1). " : "")\(TerminalSanitizer.text(check)) (\(TerminalSanitizer.text(place)))"
                )
                body = hanging("expected: ", finding.expected) + hanging("found:    ", finding.found)
            } else {
                lines += hanging("the run could not be judged: ", finding.found)
            }
            if let excerpt = finding.excerpt {
                // Repeating the same end of the record would only lengthen the text.
                body +=
                    excerpt.isTail && finding.check != nil && reported.isSuperset(of: excerpt.entries)
                    ? ["the record's end is shown above"] : shows(excerpt)
                reported.formUnion(excerpt.entries)
            }
            lines += body.map { (isNumbered ? "   " : "") + $0 }
        }
        return lines
    }

    /// The checks that were left out, each with its line and the reason.
    package var notJudged: [String] {
        result.notJudged.map {
            TerminalSanitizer.text("\($0.check) (\(result.header.file):\($0.line)): \($0.summary)", limit: 1000)
        }
    }

    /// The requirements, the scenario and settings, the link conditions and the paths of the record and the capture.
    package var provenance: [String] {
        let header = result.header
        var lines = header.proves.isEmpty ? [] : ["proves: \(header.proves.joined(separator: ", "))"]
        if !header.cites.isEmpty { lines.append("cites: \(header.cites.joined(separator: ", "))") }
        if let report = header.report { lines.append("report: \(report)") }
        lines.append(
            "scenario: \(header.file), adapter \(header.adapter), \(header.engine) link engine, seed \(header.seed)")
        lines += conditions.map { "\($0.place): \($0.text)" }
        if let file = result.recordFile { lines.append("record: \(file)") }
        if let file = result.captureFile { lines.append("capture: \(file)") }
        return lines.map { TerminalSanitizer.text($0, limit: 1000) }
    }

    private func shows(_ excerpt: Excerpt) -> [String] {
        [excerpt.isTail ? "the record ends:" : "the record shows:"] + excerpt.text.map { "  " + $0 }
    }

    private func hanging(_ head: String, _ text: String) -> [String] {
        TerminalSanitizer.lines(text).enumerated().map {
            $0.offset == 0 ? head + $0.element : String(repeating: " ", count: head.count) + $0.element
        }
    }
}

extension Baseline.BaselineStatus {
    fileprivate var isUnexpectedPass: Bool { if case .unexpectedPass = self { true } else { false } }
}
