/// What a direction was seen to do between two moments: the "got" beside the "asked" of `LinkParameters`.
package struct LinkMeasurement: Hashable, Sendable {
    /// A spread of durations in nanoseconds; percentiles are right to 0.8 %.
    package struct Spread: Hashable, Sendable {
        package var minimum: Int64
        package var p50: Int64
        package var p99: Int64
        package var maximum: Int64
        package var mean: Double

        /// nil when nothing was recorded.
        init?(_ histogram: LogLinearHistogram) {
            guard let mean = histogram.mean, let p50 = histogram.percentile(0.5), let p99 = histogram.percentile(0.99) else {
                return nil
            }
            minimum = histogram.min
            self.p50 = p50
            self.p99 = p99
            maximum = histogram.max
            self.mean = mean
        }
    }

    package var start: LinkTime
    package var end: LinkTime
    /// Packets offered, probes included.
    package var packets: UInt64
    /// Of those, or of packets still on the link from before, how many were dropped, for whatever reason.
    package var lost: UInt64
    package var delivered: UInt64
    package var deliveredBytes: UInt64
    /// From offer to actual release; nil when nothing was delivered.
    package var delay: Spread?
    /// From planned to actual release; nil when nothing was delivered.
    package var lateness: Spread?
    package var late: UInt64
    /// Bits per second at which back-to-back packets actually left; nil when the transmitter never had two in a row.
    package var busyBitsPerSecond: Double?

    package var intervalNanoseconds: Int64 { end - start }
    package var lossShare: Double? { packets == 0 ? nil : Double(lost) / Double(packets) }
}
