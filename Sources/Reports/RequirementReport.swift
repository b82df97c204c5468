import Conformance
import Record

/// The result of the runs for each numbered requirement.
package struct RequirementReport: Hashable, Sendable {
    package enum Status: String, CaseIterable, Hashable, Sendable {
        /// Every scenario that could be judged passed, and at least one was judged.
        case proved
        /// A scenario that proves the requirement failed, expectedly or not.
        case failed
        /// The adapter lacks the capabilities that all its scenarios need.
        case unsupported
        /// No scenario for it finished in this run, or some did not.
        case notRun

        package var description: String {
            switch self {
            case .proved: "proved"
            case .failed: "failed"
            case .unsupported: "unsupported"
            case .notRun: "not run"
            }
        }
    }
    /// A scenario that proves the requirement, with its outcome.
    package struct Evidence: Hashable, Sendable {
        package var scenario: String
        package var repetition: Int
        package var outcome: String
    }
    package struct Line: Hashable, Sendable {
        package var id: String
        package var title: String?
        package var status: Status
        package var evidence: [Evidence]
    }

    /// Sorted by id, with numbers compared as numbers.
    package var lines: [Line]

    package init(_ suite: SuiteReport) {
        var runs: [String: [ReportedRun]] = [:]
        for id in suite.requirementTitles.keys { runs[id] = [] }
        for run in suite.runs {
            for id in Set(run.result.header.proves) { runs[id, default: []].append(run) }
        }
        lines = runs.map { id, runs in
            Line(
                id: id, title: suite.requirementTitles[id], status: RequirementReport.status(OutcomeCounts(runs)),
                evidence: runs.map {
                    Evidence(
                        scenario: $0.result.header.scenario, repetition: $0.result.header.repetition,
                        outcome: $0.result.outcome.word)
                }
                .sorted { ($0.scenario, $0.repetition) < ($1.scenario, $1.repetition) })
        }
        .sorted { RequirementReport.order($0.id) < RequirementReport.order($1.id) }
    }

    package func lines(_ status: Status) -> [Line] { lines.filter { $0.status == status } }

    /// Returns the status of a requirement. A failure takes precedence; an errored or skipped run leaves the
    /// requirement open, whatever the outcomes of the others.
    private static func status(_ counts: OutcomeCounts) -> Status {
        if counts.failed > 0 { return .failed }
        if counts.errors + counts.skipped > 0 || counts.total == 0 { return .notRun }
        return counts.passed > 0 ? .proved : .unsupported
    }

    /// Returns a sort key that places `DNLD-9` before `DNLD-10`.
    private static func order(_ id: String) -> (String, Int, String) {
        guard let hyphen = id.lastIndex(of: "-") else { return (id, .max, id) }
        return (String(id[..<hyphen]), Int(id[id.index(after: hyphen)...]) ?? .max, id)
    }
}
