/// Counts of nanoseconds in buckets of constant relative width: every percentile is accurate to 0.8 %, and recording
/// never allocates.
package struct LogLinearHistogram: Sendable {
    /// 2^7 buckets per doubling.
    private static let precision = 7
    /// The last bucket also counts everything above 2^42 ns, more than an hour.
    private static let highest: UInt64 = (1 << 42) - 1
    private static let bucketCount = bucket(highest) + 1

    private var buckets = [UInt32](repeating: 0, count: bucketCount)
    package private(set) var count: UInt64 = 0
    package private(set) var min: Int64 = .max
    package private(set) var max: Int64 = 0
    private var sum: Double = 0

    package init() {}

    /// Records a value; a negative one counts as 0.
    @inline(__always)
    package mutating func record(_ nanoseconds: Int64) {
        let value = Swift.max(0, nanoseconds)
        let bucket = Self.bucket(Swift.min(UInt64(value), Self.highest))
        if buckets[bucket] < .max { buckets[bucket] &+= 1 }
        count &+= 1
        sum += Double(value)
        if value < min { min = value }
        if value > max { max = value }
    }

    package var mean: Double? { count == 0 ? nil : sum / Double(count) }

    /// Returns the smallest recorded value, accurate to a bucket's width, that at least this share of the values does
    /// not exceed.
    package func percentile(_ share: Double) -> Int64? {
        guard count > 0 else { return nil }
        let rank = Swift.max(1, UInt64((Swift.min(1, Swift.max(0, share)) * Double(count)).rounded(.up)))
        var seen: UInt64 = 0
        for bucket in buckets.indices {
            seen += UInt64(buckets[bucket])
            // The exact minimum and maximum narrow the outermost buckets.
            if seen >= rank { return Swift.min(max, Swift.max(min, Self.middle(of: bucket))) }
        }
        return max
    }

    /// Returns the values recorded since `earlier`, an earlier copy of this histogram; all values if it has been reset
    /// meanwhile.
    ///
    /// Minimum and maximum are those of all recorded values, so percentiles at the edges are a bucket's width less
    /// accurate.
    package func since(_ earlier: LogLinearHistogram) -> LogLinearHistogram {
        guard earlier.count <= count, zip(buckets, earlier.buckets).allSatisfy({ $0 >= $1 }) else { return self }
        var difference = self
        for bucket in buckets.indices { difference.buckets[bucket] &-= earlier.buckets[bucket] }
        difference.count = count - earlier.count
        difference.sum = sum - earlier.sum
        return difference
    }

    package mutating func reset() {
        guard count > 0 else { return }
        for bucket in buckets.indices { buckets[bucket] = 0 }
        count = 0
        sum = 0
        min = .max
        max = 0
    }

    @inline(__always)
    private static func bucket(_ value: UInt64) -> Int {
        // Below 2^precision each value has its own bucket; above, the leading precision + 1 bits select it.
        let doublings = Swift.max(0, 63 - precision - value.leadingZeroBitCount)
        return (doublings << precision) + Int(value >> UInt64(doublings))
    }

    private static func middle(of bucket: Int) -> Int64 {
        let doublings = Swift.max(0, (bucket >> precision) - 1)
        let lowest = Int64(bucket - doublings << precision) << Int64(doublings)
        return lowest + (Int64(1) << Int64(doublings)) / 2
    }
}
