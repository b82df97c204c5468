import Lab
import LabKernel
import LinkEngines
import Record

/// Measures how long the adapter was kept from running by other programs, and the harness from reading what the adapter
/// reports: while it starts, and then again from the first step on.
///
/// An adapter whose pipe is full waits for the harness, so a sample that the harness takes too late counts as well.
///
/// A delay because the implementation was not scheduled is not its fault, but one that it makes itself is: with many
/// threads, or with one that computes. The wait of all threads together is therefore cut at the time that has passed,
/// and only that share of it counts in which other programs used the processors. Only intervals between samples count
/// in which this is more than half of the time: small waits are normal.
struct RunQueueDelay {
    private let processors: Int
    private var seen: ProcessorUse
    private var lastLook: Int64
    private var waited: Int64 = 0
    private var late: Int64 = 0

    static let interval: Int64 = 250_000_000
    private static let noticeable: Int64 = 250_000_000
    /// The time limits of scenarios leave more room.
    private static let bound: Int64 = 1_000_000_000

    init(_ use: ProcessorUse, processors: Int, at now: Int64) {
        self.processors = processors
        seen = use
        lastLook = now
    }

    var nextLook: Int64 { lastLook + RunQueueDelay.interval }

    mutating func look(_ use: ProcessorUse, at now: Int64) {
        let elapsed = now - lastLook
        defer { (seen, lastLook) = (use, now) }
        guard elapsed > 0 else { return }
        let others = max(0, (use.machine - seen.machine) - (use.used - seen.used))
        let share = min(1, Double(others) / Double(elapsed * Int64(processors)))
        let delay = Int64(Double(min(use.waited - seen.waited, elapsed)) * share)
        let lateness = elapsed - RunQueueDelay.interval
        if lateness > RunQueueDelay.interval, lateness > delay {
            late += lateness
        } else if delay > elapsed / 2 {
            waited += delay
        }
    }

    /// A note for the record; nil when the wait is negligible.
    var record: Note? {
        guard waited + late > RunQueueDelay.noticeable else { return nil }
        let words = [
            waited > 0 ? "the adapter waited \(Milliseconds(waited)) for a processor that other programs used" : nil,
            late > 0 ? "the harness was late by \(Milliseconds(late))" : nil,
        ].compactMap(\.self).joined(separator: "; ")
        return waited + late > RunQueueDelay.bound
            ? .conditionNotKept("the machine was too slow: \(words)") : .other(words)
    }
}
