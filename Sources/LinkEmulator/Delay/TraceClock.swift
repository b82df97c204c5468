/// The endlessly repeated transmission opportunities of a trace, and their assignment to packets.
struct TraceClock: Sendable {
    private let stamps: [UInt32]
    private let period: Int64
    private let start: Int64
    /// The time at which the current round of the trace began, and the next opportunity in it.
    private var round: Int64
    private var next = 0
    /// The opportunity last used, and the number of bytes it still holds.
    private var moment = Int64.min
    private var left = 0

    /// Creates a clock for the stamps of a `RateTrace`.
    init(_ stamps: [UInt32], since start: Int64) {
        self.stamps = stamps
        period = Int64(stamps[stamps.count - 1]) * 1_000_000
        self.start = start
        round = start
    }

    /// Discards the assignments made after `now`.
    mutating func rewind(to now: Int64) {
        round = start
        next = 0
        left = 0
        skip(to: now)
    }

    /// Returns the time at which a packet that has waited since `eligible` begins to leave. An opportunity at exactly
    /// the time of arrival is missed.
    mutating func begin(_ eligible: Int64) -> Int64 {
        if left > 0, moment > eligible { return moment }
        left = 0
        skip(to: eligible)
        return time
    }

    /// Schedules a packet that has waited since `eligible`, after all earlier ones; returns the time its last byte
    /// leaves.
    @inline(__always)
    mutating func send(_ bytes: Int, _ eligible: Int64) -> Int64 {
        if left == 0 || moment <= eligible {
            skip(to: eligible)
            consumeOpportunity()
        }
        var needed = bytes
        while needed > left {
            needed &-= left
            consumeOpportunity()
        }
        left &-= needed
        return moment
    }

    private var time: Int64 { round &+ Int64(stamps[next]) &* 1_000_000 }

    private mutating func consumeOpportunity() {
        moment = time
        left = RateTrace.bytesPerOpportunity
        next &+= 1
        if next == stamps.count {
            next = 0
            round &+= period
        }
    }

    /// Skips every opportunity up to and at `eligible`.
    private mutating func skip(to eligible: Int64) {
        guard time <= eligible else { return }
        let rounds = (eligible &- round) / period
        round &+= rounds &* period
        let within = (eligible &- round) / 1_000_000
        // The last stamp is the period, so one beyond `within` always follows.
        var low = rounds == 0 ? next : 0
        var high = stamps.count &- 1
        while low < high {
            let middle = (low &+ high) / 2
            if Int64(stamps[middle]) <= within { low = middle &+ 1 } else { high = middle }
        }
        next = low
    }
}
