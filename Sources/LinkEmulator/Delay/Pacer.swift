import Units

/// The schedule of a transmitter: start and end of each packet, one after the other, for every kind of rate.
struct Pacer: Sendable {
    private enum Kind: BitwiseCopyable, Sendable { case none, line, trace }
    private var kind = Kind.none
    private var bitsPerSecond: UInt64 = 1
    /// The time a token bucket takes to fill; 0 for a serial line.
    private var savings: Int64 = 0
    private var clock: TraceClock?
    /// The time at which the last byte of the last packet leaves.
    private(set) var free = Int64.min
    /// The time at which everything sent would have left at exactly the rate; earlier than `free` by the saved tokens.
    private var paid = Int64.min
    /// The remainder of the division into whole nanoseconds, in bit·ns per second, so that the rate is exact in the
    /// long run.
    private var remainder: UInt64 = 0

    struct Sent {
        var end: Int64
        /// True if the transmission began at the moment the previous packet's ended.
        var isBackToBack: Bool
    }

    var hasRate: Bool {
        switch kind {
        case .none: false
        case .line, .trace: true
        }
    }

    /// Changes the rate. Packets already scheduled keep their times; a bucket starts full, and a trace at its
    /// beginning.
    mutating func change(to rate: LinkEffect.Rate?, at now: Int64) {
        remainder = 0
        clock = nil
        switch rate {
        case nil: kind = .none
        case .constant(let rate):
            kind = .line
            bitsPerSecond = rate.bitsPerSecond
            savings = 0
        case .bucket(let rate, let burst):
            kind = .line
            bitsPerSecond = rate.bitsPerSecond
            savings = Int64(Double(burst.bytes) * 8e9 / Double(bitsPerSecond))
        case .trace(let trace):
            kind = .trace
            clock = TraceClock(trace.milliseconds, since: now)
        }
    }

    /// Returns the time at which a packet that has waited since `eligible` begins to leave.
    mutating func start(_ eligible: Int64) -> Int64 {
        switch kind {
        case .none: eligible
        case .line: max(eligible, free)
        case .trace: clock?.begin(eligible) ?? eligible
        }
    }

    /// Schedules a packet that has waited since `eligible`.
    @inline(__always)
    mutating func send(_ bytes: Int, _ eligible: Int64) -> Sent {
        switch kind {
        case .none:
            return Sent(end: eligible, isBackToBack: false)
        case .line:
            let start = max(eligible, free)
            // While tokens are left, the gap to the previous packet does not reflect the rate.
            let isBackToBack = paid >= start
            if paid < start &- savings {
                paid = start &- savings
                remainder = 0
            }
            // At most 2^16 bytes · 8 · 10⁹ + 10¹⁵ < 2^63.
            let (nanoseconds, left) = (UInt64(bytes) &* 8_000_000_000 &+ remainder).quotientAndRemainder(
                dividingBy: bitsPerSecond)
            remainder = left
            paid &+= Int64(nanoseconds)
            free = max(start, paid)
            return Sent(end: free, isBackToBack: isBackToBack)
        case .trace:
            let isBackToBack = free > eligible
            free = clock?.send(bytes, eligible) ?? eligible
            return Sent(end: free, isBackToBack: isBackToBack)
        }
    }

    /// Discards everything scheduled after `now`, because the link went down; a trace continues.
    mutating func disconnect(at now: Int64) {
        clock?.rewind(to: now)
        free = .min
        paid = .min
        remainder = 0
    }
}
