/// Finds discretionary transfers whose throughput is so poor that they are better stopped and tried later (DISC-08).
///
/// Times are of the real monotonic clock, also in tests with a scaled clock, because bytes arrive in real time.
package struct ThroughputMonitor: Hashable, Sendable {
    /// Bytes per second below which a transfer counts as poor.
    package var minimum = 4096.0
    /// The length of the period that has to be poor.
    package var period: Duration = .seconds(10)

    private var start: Duration?
    private var bytes: Int64 = 0

    package init() {}

    /// Adds received or sent bytes at a time; returns true if the transfer should be stopped. Call it with 0 bytes too,
    /// so that a stalled transfer is found.
    package mutating func add(_ count: Int64, at time: Duration) -> Bool {
        guard let start else {
            // The period begins with the connection, whose first bytes do not belong to a measured time.
            self.start = time
            return false
        }
        bytes += count
        let elapsed = time - start
        guard elapsed >= period else { return false }
        let isPoor = Double(bytes) / elapsed.inSeconds < minimum
        self.start = time
        bytes = 0
        return isPoor
    }
}
