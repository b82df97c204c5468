/// When a transmitter's packets begin and end, one after the other, for any kind of rate.
struct Pacer: Sendable {
    private enum Kind: BitwiseCopyable, Sendable { case none, line, trace }
    private var kind = Kind.none
    private var bitsPerSecond: UInt64 = 1
    /// How long a bucket takes to fill; a serial line has none.
    private var savings: Int64 = 0
    private var clock: TraceClock?
    /// When the last packet's last byte leaves.
    private(set) var free = Int64.min
    /// When everything sent would have left at exactly the rate; behind `free` by what the bucket has saved.
    private var paid = Int64.min
    /// What the division into whole nanoseconds left over, in bit·ns per second, so that the rate is exact in the long run.
    private var remainder: UInt64 = 0

    struct Sent {
        var end: Int64
        /// It began at the very moment the previous packet's ended.
        var isBackToBack: Bool
    }

    var hasRate: Bool {
        switch kind {
        case .none: false
        case .line, .trace: true
        }
    }

    /// Packets on their way out keep their time; a bucket begins full, and a trace at its beginning.
    mutating func change(to rate: LinkRate?, at now: Int64) {
        remainder = 0
        clock = nil
        switch rate {
        case nil: kind = .none
        case .constant(let bits):
            kind = .line
            bitsPerSecond = bits
            savings = 0
        case .bucket(let bits, let burst):
            kind = .line
            bitsPerSecond = bits
            savings = Int64(Double(burst) * 8e9 / Double(bits))
        case .trace(let stamps):
            kind = .trace
            clock = TraceClock(stamps, since: now)
        }
    }

    /// When a packet that waits since `eligible` begins to leave.
    mutating func start(_ eligible: Int64) -> Int64 {
        switch kind {
        case .none: eligible
        case .line: max(eligible, free)
        case .trace: clock?.begin(eligible) ?? eligible
        }
    }

    /// Sends a packet that waits since `eligible`.
    @inline(__always)
    mutating func send(_ bytes: Int, _ eligible: Int64) -> Sent {
        switch kind {
        case .none:
            if eligible > free { free = eligible }
            return Sent(end: eligible, isBackToBack: false)
        case .line:
            let start = max(eligible, free)
            // With savings left the gap to the packet before says nothing about the rate.
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

    /// An unplugged link forgets what it was to send after `now`; a trace goes on all the same.
    mutating func unplug(at now: Int64) {
        clock?.rewind(to: now)
        free = .min
        paid = .min
        remainder = 0
    }
}
