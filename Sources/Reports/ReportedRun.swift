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

    package init(_ result: RunResult, baselineStatus: Baseline.BaselineStatus = .unlisted, record: [RecordEntry]) {
        self.result = result
        self.baselineStatus = baselineStatus
        excerpts = []
        conditions = RequestedCondition.all(in: record)
        guard !record.isEmpty else { return }
        switch result.outcome {
        case .pass, .unsupported, .skipped: break
        case .fail(_, let mismatches): excerpts = mismatches.map { Excerpt(of: record, evidence: $0.evidence) }
        case .error: excerpts = [Excerpt(of: record, evidence: [])]
        }
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

    /// The expected and found values with the record's evidence; empty when nothing went wrong.
    package var findings: [String] {
        var lines: [String] = []
        switch result.outcome {
        case .pass, .unsupported, .skipped: return []
        case .error(let cause):
            lines += hanging("the run could not be judged: ", cause)
            if let excerpt = excerpts.first { lines += shows(excerpt) }
        case .fail(_, let mismatches):
            let isNumbered = mismatches.count > 1
            var reported: Set<String> = []
            for (index, mismatch) in mismatches.enumerated() {
                let place = mismatch.line.map { "\(result.header.file):\($0)" } ?? "always checked"
                lines.append(
                    "\(isNumbered ? "\(index + 1). " : "")\(TerminalSanitizer.text(mismatch.check)) (\(TerminalSanitizer.text(place)))"
                )
                var body = hanging("expected: ", mismatch.expected) + hanging("found:    ", mismatch.found)
                if excerpts.indices.contains(index) {
                    let excerpt = excerpts[index]
                    // Repeating the same end of the record would only lengthen the text.
                    body +=
                        excerpt.isTail && reported.isSuperset(of: excerpt.entries)
                        ? ["the record's end is shown above"] : shows(excerpt)
                    reported.formUnion(excerpt.entries)
                }
                lines += body.map { (isNumbered ? "   " : "") + $0 }
            }
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
