import Record
import AdapterProtocol

/// The completion is a task's last message (DLGT-06). Metrics may come before or after it: no document specifies their
/// order, and both occur. A protocol class is not a delegate: it may start while its task is cancelled. Replies to
/// commands of the harness (an inspection, the resume data of a cancellation) may come at any time.
enum SilenceAfterCompletion: Invariant {
    static let name = "silence after completion"
    static let summary = "A task reports nothing after its completion."

    /// The end of a callback is not a message. Neither is the start of a callback: a late callback is found by its
    /// event.
    private static let mayFollow: Set<TaskEventName> = [
        .didFinishCollectingMetrics, .inspected, .retainedContent, .retained, .cacheInspected, .resumeDataProduced,
        .didComplete, .completionHandler, .didBecomeStreams,
        .callbackBegan, .callbackEnded, .progressRead, .streamRead, .streamWritten, .propertyRead, .protocolLoad,
    ]

    static func judge(_ record: RecordView) -> [Mismatch] {
        record.taskNames.compactMap { task in
            guard let end = (record.completions(of: task).map(\.moment) + record.captures(of: task)).min() else {
                return nil
            }
            let late = record.events(of: task).filter { end < $0.moment && !mayFollow.contains($0.event.name) }
            guard let first = late.first else { return nil }
            return mismatch(
                expected: "no event of \(task) after its completion",
                found: "\(first.event.name.rawValue)" + (late.count > 1 ? " and \(late.count - 1) more" : ""),
                evidence: [end] + late.prefix(4).map(\.moment))
        }
    }
}
