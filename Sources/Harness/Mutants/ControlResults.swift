import Conformance
import Foundation
import Lab
import LinkEngines
import Record

/// The results of the correct session. Only a scenario that it passes can catch a mutant.
package struct ControlResults: Hashable, Sendable {
    /// The scenarios that ran.
    private(set) var scenarios: Set<String>
    /// The seconds that each passed scenario took.
    private(set) var passed: [String: Double]

    /// Outcomes by scenario, without those that the correct session does not pass.
    var outcomes: [String: Outcome] { passed.mapValues { _ in .pass } }

    init(_ results: [RunResult]) {
        self.init(results.map { ($0.header.scenario, $0.outcome == .pass, $0.duration / .seconds(1)) })
    }

    /// A scenario that failed in one of its repetitions is not passed.
    private init(_ runs: [(scenario: String, hasPassed: Bool, seconds: Double)]) {
        scenarios = Set(runs.map(\.scenario))
        let failed = Set(runs.filter { !$0.hasPassed }.map(\.scenario))
        passed = Dictionary(
            runs.filter { !failed.contains($0.scenario) }.map { ($0.scenario, $0.seconds) }, uniquingKeysWith: max)
    }

    mutating func merge(_ other: ControlResults) {
        scenarios.formUnion(other.scenarios)
        passed.merge(other.passed) { $1 }
    }

    /// Reads the results of an earlier `crosswind run` of the same adapter.
    package init(folder: String, adapter: String) throws(HarnessError) {
        struct Summary: Decodable {
            struct Run: Decodable {
                var scenario: String
                var adapter: String
                var outcome: String
                var seconds: Double
            }
            var crosswind: String
            var version: Int
            var runs: [Run]
        }
        let path = folder + "/summary.json"
        let summary: Summary
        do {
            summary = try JSONDecoder().decode(Summary.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
        } catch is DecodingError {
            throw .unusableEvidence(path: path, reason: "this is not the summary of a run")
        } catch {
            throw .unusableEvidence(path: path, reason: reasonText(error))
        }
        guard summary.crosswind == "summary", summary.version == 1 else {
            throw .unusableEvidence(path: path, reason: "this is not the summary of a run that this version can read")
        }
        if let other = summary.runs.first(where: { $0.adapter != adapter }) {
            throw .unusableEvidence(path: path, reason: "it is a run of \(other.adapter), not of \(adapter)")
        }
        self.init(summary.runs.map { ($0.scenario, $0.outcome == "pass", $0.seconds) })
    }
}
