import ScenarioLanguage
import Record
import AdapterProtocol

/// `didBecomeInvalid` is sent once, as the last message to a session's delegate (INVL-04).
enum SilenceAfterInvalidation: Invariant {
    static let name = "silence after invalidation"
    static let summary = "A session does not call its delegate after it became invalid."

    /// Replies to commands of the harness and events of a protocol class are not messages to the delegate.
    private static let mayFollow: Set<TaskEventName> = [
        .inspected, .retainedContent, .retained, .cacheInspected, .resumeDataProduced, .progressRead,
        .callbackEnded, .streamRead, .streamWritten, .propertyRead, .protocolLoad,
    ]

    static func judge(_ record: RecordView) -> [Mismatch] {
        record.scenario.sessions.map(\.name).flatMap { session -> [Mismatch] in
            let invalidations = record.invalidations(of: session).map(\.moment)
            guard let end = invalidations.first else { return [] }
            var found: [Mismatch] = []
            if invalidations.count > 1 {
                found.append(
                    mismatch(
                        expected: "one \(session).didBecomeInvalid", found: "\(invalidations.count)",
                        evidence: Array(invalidations.prefix(5))))
            }
            for task in record.taskNames where record.description(of: task)?.session == session {
                let late = record.events(of: task).filter { end < $0.moment && !mayFollow.contains($0.event.name) }
                guard let first = late.first else { continue }
                found.append(
                    mismatch(
                        expected: "no event of \(task) after \(session).didBecomeInvalid",
                        found: "\(first.event.name.rawValue)" + (late.count > 1 ? " and \(late.count - 1) more" : ""),
                        evidence: [end] + late.prefix(4).map(\.moment)))
            }
            return found
        }
    }
}
