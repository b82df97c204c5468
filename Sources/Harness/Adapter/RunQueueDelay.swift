import Lab
import Record

/// Measures how long the adapter's threads have waited for a processor since the script began.
///
/// A delay because the implementation was not scheduled is not its fault. Only intervals between samples count in which
/// its threads together waited for more than half of the time: many small waits are normal with many threads.
struct RunQueueDelay {
    private var seen: Int64
    private var lastLook: Int64
    private var waited: Int64 = 0

    static let interval: Int64 = 250_000_000
    private static let noticeable: Int64 = 250_000_000
    /// The time limits of scenarios leave more room.
    private static let bound: Int64 = 1_000_000_000

    /// - Parameter total: the time the threads have waited since the process began, in nanoseconds.
    init(total: Int64, at now: Int64) {
        seen = total
        lastLook = now
    }

    var nextLook: Int64 { lastLook + RunQueueDelay.interval }

    mutating func look(total: Int64, at now: Int64) {
        if total - seen > (now - lastLook) / 2 { waited += total - seen }
        (seen, lastLook) = (total, now)
    }

    /// A note for the record; nil when the wait is negligible.
    var record: Note? {
        guard waited > RunQueueDelay.noticeable else { return nil }
        let words = "the adapter waited \(Milliseconds(waited)) for a processor"
        return waited > RunQueueDelay.bound ? .conditionNotKept("the machine was too slow: \(words)") : .other(words)
    }
}
