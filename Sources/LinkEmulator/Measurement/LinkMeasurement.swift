/// The measured behaviour of a direction between two times, to compare with its `LinkParameters`.
package struct LinkMeasurement: Hashable, Sendable {
    /// A distribution of durations in nanoseconds; percentiles are accurate to 0.8 %.
    package struct Spread: Hashable, Sendable {
        package var minimum: Int64
        package var p50: Int64
        package var p99: Int64
        package var maximum: Int64
        package var mean: Double

        /// Creates a spread; nil if nothing was recorded.
        init?(_ histogram: LogLinearHistogram) {
            guard let mean = histogram.mean, let p50 = histogram.percentile(0.5), let p99 = histogram.percentile(0.99)
            else {
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
    /// Packets offered, including probes.
    package var packets: UInt64
    /// The number of those, or of packets already on the link before, that were dropped for any reason.
    package var lost: UInt64
    package var delivered: UInt64
    package var deliveredBytes: UInt64
    /// Time from offer to actual release; nil if nothing was delivered.
    package var delay: Spread?
    /// Time from planned to actual release; nil if nothing was delivered.
    package var lateness: Spread?
    package var late: UInt64
    /// The measured rate of back-to-back packets in bits per second; nil if the transmitter never had two in a row.
    package var busyBitsPerSecond: Double?

    package var lossShare: Double? { packets == 0 ? nil : Double(lost) / Double(packets) }
}
