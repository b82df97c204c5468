import Conformance
package import Record

/// The data for the report of a whole run.
package struct SuiteReport: Sendable {
    /// The runs in the order in which they ended.
    package var runs: [ReportedRun]
    /// Lines of the baseline file that match no scenario, as `file:line: text`.
    package var staleBaselineLines: [String]
    /// Titles of the catalogue's requirements by id; empty when the catalogue is not available.
    package var requirementTitles: [String: String]
    /// The start time in seconds since 1970.
    package var startedAt: Int64
    package var elapsed: Duration
    /// The folder with records and captures.
    package var artifactDirectory: String?

    package init(
        runs: [ReportedRun], staleBaselineLines: [String] = [], requirementTitles: [String: String] = [:],
        startedAt: Int64,
        elapsed: Duration, artifactDirectory: String? = nil
    ) {
        self.runs = runs
        self.staleBaselineLines = staleBaselineLines
        self.requirementTitles = requirementTitles
        self.startedAt = startedAt
        self.elapsed = elapsed
        self.artifactDirectory = artifactDirectory
    }

    package var counts: OutcomeCounts { OutcomeCounts(runs) }

    /// The number of checks that were not judged, in words; nil for none.
    var notJudged: String? {
        let count = runs.reduce(0) { $0 + $1.result.notJudged.count }
        return count == 0 ? nil : "\(count) \(count == 1 ? "check was" : "checks were") not judged"
    }

    /// True when every run was as expected. A stale baseline line alone does not change this.
    package var isAsExpected: Bool { runs.allSatisfy(\.isAsExpected) }

    package var expectedFailures: [ReportedRun] {
        runs.filter { run in
            if case (.fail, .expected) = (run.result.outcome, run.baselineStatus) { true } else { false }
        }
    }

    package var unexpectedPasses: [ReportedRun] {
        runs.filter { run in if case .unexpectedPass = run.baselineStatus { true } else { false } }
    }

    /// The runs by area, both in alphabetical order.
    package var areas: [(name: String, runs: [ReportedRun])] {
        Dictionary(grouping: runs, by: \.area).sorted { $0.key < $1.key }.map { area in
            (area.key, area.value.sorted { SuiteReport.order($0) < SuiteReport.order($1) })
        }
    }

    /// The runs by the basis of their scenarios, in the order of the bases; those that claim nothing have none.
    package var bases: [(basis: Basis, runs: [ReportedRun])] {
        Basis.allCases.compactMap { basis in
            let found = runs.filter { $0.result.header.basis == basis }
            return found.isEmpty ? nil : (basis, found)
        }
    }

    private static func order(_ run: ReportedRun) -> (String, String, String, Int) {
        let header = run.result.header
        return (header.scenario, header.adapter, header.engine, header.repetition)
    }

    /// Scenarios whose repetitions ended differently, with the outcomes in order of the repetitions.
    package var unsteady: [(scenario: String, outcomes: [String])] {
        Dictionary(grouping: runs) { RunKey($0.result.header) }
            .filter { Set($0.value.map(\.result.outcome.kindOrWord)).count > 1 }
            .map { group in
                let runs = group.value.sorted { $0.result.header.repetition < $1.result.header.repetition }
                let words = runs.map(\.result.outcome.word)
                return (group.key.scenario, Set(words).count > 1 ? words : runs.map(\.result.outcome.kindOrWord))
            }
            .sorted { $0.scenario < $1.scenario }
    }

    /// The properties that the repetitions of a run share.
    private struct RunKey: Hashable {
        var scenario: String
        var adapter: String
        var engine: String
        init(_ header: RunHeader) {
            scenario = header.scenario
            adapter = header.adapter
            engine = header.engine
        }
    }
}

extension Outcome {
    fileprivate var kindOrWord: String { kindName.map { "fail (\($0))" } ?? word }
}
