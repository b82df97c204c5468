/// The sending end of a link with a rate: one packet at a time, the others wait in a tail-drop queue.
struct Transmitter: Sendable {
    private struct Waiting: BitwiseCopyable, Sendable {
        var finished: Int64
        var bytes: Int
    }
    private var waiting = Ring(capacity: 64, filler: Waiting(finished: 0, bytes: 0))
    private var queuedBytes = 0
    private var busyUntil = Int64.min
    /// What the division into whole nanoseconds left over, in bit·ns per second, so that the rate is exact in the long run.
    private var remainder: UInt64 = 0

    struct Slot {
        var end: Int64
        /// It began at the very moment the previous packet's ended.
        var isBackToBack: Bool
    }

    /// The place of a packet offered at `now` in the schedule; nil when the queue has no room for it.
    @inline(__always)
    mutating func transmit(_ bytes: Int, at now: Int64, _ parameters: LinkParameters) -> Slot? {
        guard let rate = parameters.rateBitsPerSecond else { return Slot(end: now, isBackToBack: false) }
        while !waiting.isEmpty, waiting.first.finished <= now { queuedBytes &-= waiting.removeFirst().bytes }
        if waiting.count >= parameters.queuePackets { return nil }
        if let limit = parameters.queueBytes, queuedBytes + bytes > limit { return nil }
        let isBackToBack = busyUntil >= now
        if !isBackToBack {
            busyUntil = now
            remainder = 0
        }
        // At most 2^16 bytes · 8 · 10⁹ + 10¹⁵ < 2^63.
        let (nanoseconds, left) = (UInt64(bytes) &* 8_000_000_000 &+ remainder).quotientAndRemainder(dividingBy: rate)
        remainder = left
        busyUntil &+= Int64(nanoseconds)
        waiting.append(Waiting(finished: busyUntil, bytes: bytes))
        queuedBytes &+= bytes
        return Slot(end: busyUntil, isBackToBack: isBackToBack)
    }

    /// The rate changes: what is left over belongs to the old one.
    mutating func forgetRemainder() { remainder = 0 }

    /// An unplugged link forgets what waited.
    mutating func unplug() {
        waiting.truncate(to: 0)
        queuedBytes = 0
        busyUntil = .min
        remainder = 0
    }
}
