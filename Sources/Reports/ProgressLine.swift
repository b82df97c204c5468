package import Record

/// The progress line that a terminal shows while scenarios run.
package struct ProgressLine: Hashable, Sendable {
    package let total: Int
    package private(set) var counts = OutcomeCounts()
    /// Labels of the running scenarios, in the order in which they started.
    package private(set) var running: [String] = []

    package init(total: Int) { self.total = total }

    package mutating func started(_ label: String) { running.append(label) }

    package mutating func finished(_ label: String, _ outcome: Outcome) {
        if let index = running.firstIndex(of: label) { running.remove(at: index) }
        counts.add(outcome)
    }

    /// Returns a line such as `12/40  00:31  10 passed, 1 failed, 1 unsupported  running: resume/reset-at-byte, order/…
    /// (+2)`, never longer than `width`.
    package func text(elapsed: Duration, width: Int) -> String {
        var line = "\(counts.total)/\(total)  \(TimeFormat.clock(elapsed))"
        let numbers = [
            (counts.passed, "passed"), (counts.failed, "failed"), (counts.unsupported, "unsupported"),
            (counts.skipped, "skipped"),
            (counts.errors, counts.errors == 1 ? "error" : "errors"),
        ]
        let reported = numbers.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        if !reported.isEmpty { line += "  " + reported }
        guard !running.isEmpty else { return TerminalSanitizer.cut(line, to: width) }
        // As many names as fit, then the number of the others.
        for shown in stride(from: running.count, through: 1, by: -1) {
            let names = running.prefix(shown).map { TerminalSanitizer.text($0) }.joined(separator: ", ")
            let rest = running.count - shown
            let candidate = line + "  running: " + names + (rest > 0 ? " (+\(rest))" : "")
            if candidate.count <= width { return candidate }
        }
        let short = line + "  running: \(running.count)"
        return short.count <= width ? short : TerminalSanitizer.cut(line, to: width)
    }
}
