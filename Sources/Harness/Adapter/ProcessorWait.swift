import Scenario

/// How long the adapter's threads have waited for a processor since the script began.
///
/// What an implementation does late because it was not let run is not its fault. Only those looks count between which its threads
/// together waited for more than half of the time: many small waits are the price of many threads.
struct ProcessorWait {
    private var seen: Int64
    private var lastLook: Int64
    private var waited: Int64 = 0

    static let interval: Int64 = 250_000_000
    private static let noticeable: Int64 = 250_000_000
    /// The time limits of scenarios leave more room.
    private static let bound: Int64 = 1_000_000_000

    /// - Parameter total: what the threads have waited for since the process began, in nanoseconds.
    init(total: Int64, at now: Int64) {
        seen = total
        lastLook = now
    }

    var nextLook: Int64 { lastLook + ProcessorWait.interval }

    mutating func look(total: Int64, at now: Int64) {
        if total - seen > (now - lastLook) / 2 { waited += total - seen }
        (seen, lastLook) = (total, now)
    }

    /// nil when it is hardly anything.
    var note: String? {
        guard waited > ProcessorWait.noticeable else { return nil }
        let words = "the adapter waited \(Milliseconds(waited)) for a processor"
        return waited > ProcessorWait.bound ? HarnessNotes.late("the machine was too slow: \(words)") : words
    }
}
