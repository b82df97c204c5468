import Conformance
package import Record

/// The report for a terminal or a CI log: one line for each run as it ends, followed by the evidence of a failure.
package struct ConsoleReport: Sendable {
    /// Enables colours; false for log files, which do not render them.
    package var colour: Bool
    /// The width to which scenario ids are padded, so that the times are aligned.
    package var nameWidth: Int
    /// True to list the checks that were left out.
    package var isVerbose: Bool
    package init(colour: Bool, nameWidth: Int = 0, isVerbose: Bool = false) {
        self.colour = colour
        self.nameWidth = nameWidth
        self.isVerbose = isVerbose
    }

    var paint: ANSIStyle { ANSIStyle(isOn: colour) }

    /// Returns the line of a finished run, such as `pass         resume/reset-at-byte  1.24 s`. For a failure, the
    /// indented expected and found values, the evidence and an empty line follow. Without a final newline.
    package func finished(_ run: ReportedRun) -> String {
        let header = run.result.header
        let outcome = run.result.outcome
        let label = ConsoleReport.label(header)
        var line = paint(padded(outcome.word, 11), ANSIStyle.colour(outcome)) + "  " + padded(label, nameWidth)
        line += "  " + TimeFormat.length(run.result.duration)
        if let note = note(run) { line += "  " + TerminalSanitizer.text(note) }
        if !run.notJudged.isEmpty { line += "  (\(run.notJudged.count) not judged)" }
        let indent = "    "
        let leftOut = isVerbose ? run.notJudged.map { indent + "not judged: " + $0 } : []
        guard !run.isAsExpected, !run.findings.isEmpty else { return ([line] + leftOut).joined(separator: "\n") }
        var lines = [line]
        lines += TerminalSanitizer.lines(header.title).filter { !$0.isEmpty }.map { indent + paint($0, .bold) }
        lines += run.findingLines.map { indent + $0 }
        lines += leftOut
        lines += run.provenance.map { indent + $0 }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the scenario's id, followed by the repetition number when that is greater than 1.
    package static func label(_ header: RunHeader) -> String {
        TerminalSanitizer.text(header.repetition > 1 ? "\(header.scenario) #\(header.repetition)" : header.scenario)
    }

    private func note(_ run: ReportedRun) -> String? {
        guard case .otherwise(let listed) = run.baselineStatus else { return outcomeNote(run) }
        return (outcomeNote(run).map { "\($0), but" } ?? "unexpected:") + " the baseline expects \(listed)"
    }

    private func outcomeNote(_ run: ReportedRun) -> String? {
        switch (run.result.outcome, run.baselineStatus) {
        case (.pass, .unlisted), (.pass, .expected), (.pass, .otherwise): nil
        case (.pass, .unexpectedPass(let reason)): "unexpected: the baseline expects a failure (\(reason))"
        case (.fail(let kind, _), .expected(let reason)): "\(kind.rawValue), as the baseline expects: \(reason)"
        case (.fail(let kind, _), _): kind.rawValue
        case (.unsupported(let what), _): what
        case (.skipped(let after), _): "\(after) did not pass"
        case (.error, _): "not the implementation's fault"
        }
    }

    func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
