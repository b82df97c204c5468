/// The console form of a sweep's results.
package struct SweepTable {
    private let report: SweepReport
    private let phases: [String]
    private let folder: String

    /// - Parameters:
    ///   - phases: every phase in the order of a run.
    ///   - folder: the folder of the report, to which the files of failures are relative; nil for the working folder.
    package init(_ report: SweepReport, phases: [String], folder: String? = nil) {
        self.report = report
        self.phases = report.columns(phases)
        self.folder = folder.map { $0 + "/" } ?? ""
    }

    package var lines: [String] {
        guard !report.cases.isEmpty else { return ["no case ran"] + leftOut }
        let header = ["fault"] + phases
        let rows = report.rows.map { fault in [fault] + phases.map { SweepTable.text(report.cell(fault, $0)) } }
        return TextTable([header] + rows, rightAligned: Set(1...max(1, phases.count))).lines + [""] + legend + failures
            + leftOut
    }

    /// A summary such as `120 cases: 118 passed, 2 failed, 0 missed, 0 not judged`.
    package var summary: String {
        "\(report.cases.count) cases: \(report.count(.pass)) passed, \(report.count(.fail)) failed, "
            + "\(report.count(.missed)) missed, \(report.count(.error)) not judged"
    }

    /// Returns `12` when all passed, `3✗/12` with failures, and a note on cases that prove nothing.
    private static func text(_ cell: SweepReport.Cell) -> String {
        guard cell.total > 0 else { return "·" }
        let judged = cell.passed + cell.failed
        return (cell.failed > 0 ? "\(cell.failed)✗/\(judged)" : "\(judged)")
            + (cell.missed > 0 ? " \(cell.missed)−" : "")
            + (cell.errors > 0 ? " \(cell.errors)?" : "")
    }

    private var legend: [String] {
        ["12: all passed; 3✗/12: 3 of 12 failed; 2−: 2 whose point the run did not reach; 1?: 1 not judged"]
    }

    private var failures: [String] {
        let groups = report.failures
        guard !groups.isEmpty else { return [] }
        var lines = ["", "Kinds of failure, with the smallest case of each:"]
        for group in groups {
            lines.append("\(group.count)×  \(group.kind)")
            lines.append("    \(faults(of: group.smallest)) in \(group.smallest.scenario)")
            if let expected = group.smallest.expected, let found = group.smallest.found {
                lines += ["    expected: \(expected)", "    found:    \(found)"]
            }
            if let file = group.smallest.file {
                lines.append("    crosswind run \(folder)\(file) --adapter \(SweepTable.quoted(report.plan.adapter))")
            }
        }
        return lines.map { TerminalSanitizer.text($0, limit: 400) }
    }

    private func faults(of item: SweepReport.Case) -> String {
        zip(item.faults, item.points).map { "\($0) at \($1)" }.joined(separator: ", and ")
    }

    static func quoted(_ adapter: String) -> String { adapter.contains(" ") ? "'\(adapter)'" : adapter }

    private var leftOut: [String] {
        report.leftOut.isEmpty ? [] : ["", "Not swept:"] + report.leftOut.map { "    \($0)" }
    }
}
