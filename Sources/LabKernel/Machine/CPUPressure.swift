import NetworkMonitor

/// The share of time in which at least one thread on this machine waited for a processor (pressure stall information,
/// `/proc/pressure/cpu`).
package struct CPUPressure: Sendable {
    private var total: Int64
    private var sampledPressure: Int64

    /// Creates a measurement; nil if the kernel does not provide it.
    package init?() {
        guard let total = CPUPressure.stalled else { return nil }
        self.total = total
        sampledPressure = MonotonicClock.now()
    }

    /// Returns the share of the time since the last call, 0 to 1; nil if less than `window` has passed.
    package mutating func share(over window: Duration) -> Double? {
        let now = MonotonicClock.now()
        guard .nanoseconds(now - sampledPressure) >= window, let stalled = CPUPressure.stalled else { return nil }
        defer { (total, sampledPressure) = (stalled, now) }
        return Double(stalled - total) * 1_000 / Double(now - sampledPressure)
    }

    /// The total in microseconds: `some avg10=0.00 avg60=0.00 avg300=0.00 total=15536341519`.
    private static var stalled: Int64? {
        guard let text = ProcFile.text(of: "/proc/pressure/cpu"), let line = text.split(separator: "\n").first,
            let total = line.split(separator: " ").last(where: { $0.hasPrefix("total=") })
        else { return nil }
        return Int64(total.dropFirst("total=".count))
    }
}
