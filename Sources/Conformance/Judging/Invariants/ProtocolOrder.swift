import Record
import AdapterProtocol

/// The adapter's messages are numbered from 1 without gaps, their clock never goes back, and their file pieces are
/// complete.
///
/// Not part of `InvariantCatalogue`: a violation is an error of the adapter, of the kind *violation*.
enum ProtocolOrder: Invariant {
    static let name = "adapter protocol"
    static let summary =
        "Events are numbered without gaps, their times never decrease, and file contents arrive in order."

    static func judge(_ record: RecordView) -> [Mismatch] {
        sequence(record) + times(record) + pieces(record)
    }

    private static func sequence(_ record: RecordView) -> [Mismatch] {
        var due: UInt64 = 1
        var generation = 1
        var previous: RecordView.Moment?
        for (event, moment) in record.sessionEvents {
            // Each process of the adapter begins at 1.
            if event.generation != generation { due = 1 }
            generation = event.generation
            if event.sequence != due {
                return [
                    mismatch(
                        expected: "sequence number \(due)", found: "\(event.sequence)",
                        evidence: (previous.map { [$0] } ?? []) + [moment])
                ]
            }
            due = due.plus(1)
            previous = moment
        }
        return []
    }

    private static func times(_ record: RecordView) -> [Mismatch] {
        let begin = record.entries.first?.time ?? .min
        var previous: (time: Int64, moment: RecordView.Moment)?
        for (event, moment) in record.sessionEvents {
            if let previous, event.time < previous.time {
                return [
                    mismatch(
                        expected: "a time no earlier than the event before",
                        found: "\(durationText(previous.time.minus(event.time))) earlier",
                        evidence: [previous.moment, moment])
                ]
            }
            // The harness keeps the adapter's time if it is plausible; otherwise it uses the time at which the line
            // arrived.
            if event.time > moment.time || event.time < begin {
                return [
                    mismatch(
                        expected: "a time on the machine's monotonic clock, within the run",
                        found: event.time < begin
                            ? "\(durationText(begin.minus(event.time))) before the run"
                            : "\(durationText(event.time.minus(moment.time))) after it was read",
                        evidence: [moment])
                ]
            }
            previous = (event.time, moment)
        }
        return []
    }

    private static func pieces(_ record: RecordView) -> [Mismatch] {
        record.taskNames.compactMap { task in
            var due: Int64 = 0
            for occurrence in record.events(of: task) {
                switch occurrence.event {
                case .fileContent(let offset, let bytes):
                    if offset != due {
                        return mismatch(
                            expected: "a piece of \(task)'s file from byte \(due) on",
                            found: "one from byte \(offset) on",
                            evidence: [occurrence.moment])
                    }
                    due += Int64(bytes.count)
                case .didFinishDownloading(let length):
                    // A retained file is reported when it is read back.
                    let isKept = record.description(of: task)?.retainsDelivered == true && due == 0
                    if length != due, !isKept {
                        return mismatch(
                            expected: "all \(length) bytes of \(task)'s file in pieces", found: "\(due) bytes",
                            evidence: [occurrence.moment])
                    }
                    due = 0
                default: break
                }
            }
            return nil
        }
    }
}
