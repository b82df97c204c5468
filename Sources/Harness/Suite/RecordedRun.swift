import Foundation
package import Record
package import Conformance

/// A record that was read from its file.
package struct RecordedRun: Sendable {
    package let file: String
    package let entries: [RecordEntry]
    package let header: RunHeader
    /// nil for a run that was cut short.
    package let outcome: Outcome?

    /// Reads a run. `path` is the record, or the folder that contains it.
    package static func read(_ path: String) throws(HarnessError) -> RecordedRun {
        let isFolder = (try? FileManager.default.contentsOfDirectory(atPath: path)) != nil
        return try read(file: isFolder ? path + "/record.jsonl" : path)
    }

    private static func read(file: String) throws(HarnessError) -> RecordedRun {
        guard let bytes = FileManager.default.contents(atPath: file) else {
            throw .unusableEvidence(path: file, reason: "the record cannot be read; give the folder of one scenario")
        }
        let record = RecordFile.read(bytes: Array(bytes))
        guard case .runStarted(let header)? = record.entries.first?.fact else {
            throw .unusableEvidence(
                path: file, reason: "it is not a record: \(record.damaged[1] ?? "its first line does not start a run")")
        }
        var outcome: Outcome?
        if case .runEnded(let ended)? = record.entries.last?.fact { outcome = ended }
        return RecordedRun(file: file, entries: record.entries, header: header, outcome: outcome)
    }

    /// The result in the form for reports.
    package var result: RunResult {
        var result = RunResult(
            header: header, tags: [], outcome: outcome ?? .error("the run was cut short"),
            duration: .nanoseconds((entries.last?.time ?? 0) - (entries.first?.time ?? 0)), recordFile: file,
            captureFile: nil)
        result.notJudged = entries.compactMap { if case .notJudged(let check) = $0.fact { check } else { nil } }
        return result
    }
}
