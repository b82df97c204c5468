import Record
import AdapterProtocol

/// Every resumed task ends exactly once, with `didComplete` or its completion handler (DLGT-07); a stream task may also
/// end by becoming a pair of streams (STRM-03). A process that a signal ends at the same moment may not have acknowledged
/// the completion of a background task, and then the next process receives it too.
enum OneCompletion: Invariant {
    static let name = "one completion"
    static let summary = "Every started task completes exactly once."

    /// Returns a mismatch for each task that hangs.
    static func unfinished(_ record: RecordView) -> [Mismatch] {
        record.unfinishedTasks.map { task in
            mismatch(
                expected: "\(task) ends", found: "no completion",
                evidence: record.moments(of: .resume(task)) + (record.events(of: task).last.map { [$0.moment] } ?? []))
        }
    }

    static func judge(_ record: RecordView) -> [Mismatch] {
        let repeated = record.taskNames.compactMap { task -> Mismatch? in
            let completions = record.completions(of: task).filter { !wasCutOff($0.moment, task, record) }
            let captures = record.captures(of: task)
            let ends =
                completions.map { ($0.event.rawValue, $0.moment) }
                + captures.map { (TaskEventName.didBecomeStreams.rawValue, $0) }
            guard ends.count > 1 else { return nil }
            return mismatch(
                expected: "one completion of \(task)",
                found: "\(ends.count): " + ends.prefix(5).map(\.0).joined(separator: ", "),
                evidence: ends.prefix(5).map(\.1))
        }
        return unfinished(record) + repeated
    }

    /// The longest time that an acknowledgement takes to arrive.
    private static let acknowledgement: Int64 = 100_000_000

    private static func wasCutOff(_ end: RecordView.Moment, _ task: TaskName, _ record: RecordView) -> Bool {
        guard record.isInBackground(task) else { return false }
        let isEnded = record.adapter.contains { fact, moment in
            guard case .process(_, let change) = fact, [.killed, .terminated].contains(change.word) else {
                return false
            }
            return end < moment && moment.time.minus(end.time) < acknowledgement
        }
        return isEnded && record.completions(of: task).contains { end < $0.moment }
    }
}
