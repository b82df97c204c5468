package import Scenario

/// What a person at a terminal or in a CI log reads: a line for each run as it ends, with the evidence of a failure below it.
package struct ConsoleReport: Sendable {
    /// Colours only when told: a log file has no use for them.
    package var colour: Bool
    /// Scenario ids are padded to this, so that the times stand in one column.
    package var nameWidth: Int
    package init(colour: Bool, nameWidth: Int = 0) {
        self.colour = colour
        self.nameWidth = nameWidth
    }

    var paint: Paint { Paint(isOn: colour) }

    /// `pass         resume/reset-at-byte  1.24 s`; a failure's expected, found and evidence follow, indented, and an empty line.
    /// Ends without a newline.
    package func finished(_ run: ReportedRun) -> String {
        let header = run.result.header
        let outcome = run.result.outcome
        let label = ConsoleReport.label(header)
        var line = paint(padded(outcome.word, 11), Paint.colour(outcome)) + "  " + padded(label, nameWidth)
        line += "  " + TimeText.length(run.result.duration)
        if let remark = remark(run) { line += "  " + OneLine.text(remark) }
        guard !run.isAsExpected, !run.findings.isEmpty else { return line }
        var lines = [line]
        let indent = "    "
        lines += OneLine.lines(header.title).filter { !$0.isEmpty }.map { indent + paint($0, .bold) }
        lines += run.findings.map { indent + $0 }
        lines += run.provenance.map { indent + $0 }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The scenario's id, with the repetition from the second on.
    package static func label(_ header: RunHeader) -> String {
        OneLine.text(header.repetition > 1 ? "\(header.scenario) #\(header.repetition)" : header.scenario)
    }

    private func remark(_ run: ReportedRun) -> String? {
        switch (run.result.outcome, run.standing) {
        case (.pass, .unlisted), (.pass, .expectedFailure): nil
        case (.pass, .unexpectedPass(let reason)): "unexpected: the baseline says that it fails (\(reason))"
        case (.fail(let kind, _), .expectedFailure(let reason)): "\(kind.rawValue), as the baseline says: \(reason)"
        case (.fail(let kind, _), .unlisted), (.fail(let kind, _), .unexpectedPass): kind.rawValue
        case (.unsupported(let what), _): what
        case (.skipped(let after), _): "\(after) did not pass"
        case (.error, _): "not the implementation's fault"
        }
    }

    func padded(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: max(0, width - text.count)) }
}
