import CLinux

/// CLOCK_MONOTONIC in nanoseconds: the only clock of a run.
package enum MonotonicClock {
    package static func now() -> Int64 { cw_monotonic_now() }

    /// Returns the time `nanoseconds` from now, without overflow.
    package static func deadline(after nanoseconds: Int64) -> Int64 {
        let (sum, overflow) = now().addingReportingOverflow(max(nanoseconds, 0))
        return overflow ? never : sum
    }

    /// A deadline that never comes.
    package static let never = Int64.max
}

extension Duration {
    /// The duration in whole nanoseconds, limited to the range of 64 bits (292 years).
    package var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return seconds < 0 ? .min : .max }
        let (sum, carry) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
        return carry ? (seconds < 0 ? .min : .max) : sum
    }
}
