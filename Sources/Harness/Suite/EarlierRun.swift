import Foundation
import Lab
package import LinkEngines
package import Record

/// A finished run with a log of its packet decisions, which can be repeated.
package struct EarlierRun: Sendable {
    package let header: RunHeader
    package let outcome: Outcome
    package let decisions: PacketDecisions
    package let decisionsFile: String

    /// Reads a run. `path` is the record, or the folder that contains it.
    package static func read(_ path: String) throws(HarnessError) -> EarlierRun {
        let run = try RecordedRun.read(path)
        guard let outcome = run.outcome else {
            throw .unusableEvidence(path: run.file, reason: "the run was cut short, so not all decisions were recorded")
        }
        let file = URL(fileURLWithPath: run.file)
        guard file.lastPathComponent.hasPrefix("record"), file.lastPathComponent.hasSuffix(".jsonl") else {
            throw .unusableEvidence(
                path: run.file, reason: "the record must be named record.jsonl, with its decisions in the same folder")
        }
        let log = file.deletingLastPathComponent().path + "/" + DecisionLog.name(beside: file.lastPathComponent)
        do throws(LabError) {
            return EarlierRun(
                header: run.header, outcome: outcome, decisions: try DecisionLog.read(log), decisionsFile: log)
        } catch {
            throw .lab(error)
        }
    }
}
