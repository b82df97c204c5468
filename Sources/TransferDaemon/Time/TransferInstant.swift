package import Foundation

/// A moment on two clocks: elapsed time is measured on the one that cannot be set, and the wall clock serves only
/// across a restart of the machine.
package struct TransferInstant: Hashable, Sendable {
    /// The wall clock.
    package var wall: Date
    /// Time since the machine started, including time in suspend (CLOCK_BOOTTIME).
    package var uptime: Duration
    /// The run of the machine that `uptime` belongs to.
    package var boot: UUID

    package init(wall: Date, uptime: Duration, boot: UUID) {
        self.wall = wall
        self.uptime = uptime
        self.boot = boot
    }

    /// Returns the time from `earlier` to this instant, never negative.
    ///
    /// Within one run of the machine a change of the wall clock does not count. Across a restart a wall clock that
    /// was set back counts as no time.
    package func elapsed(since earlier: TransferInstant) -> Duration {
        let passed =
            boot == earlier.boot ? uptime - earlier.uptime : .seconds(wall.timeIntervalSince(earlier.wall))
        return max(.zero, passed)
    }

    /// Returns the amount by which the wall clock was set from this instant to a later one of the same run of the
    /// machine; zero across a restart.
    package func stepOfWall(to later: TransferInstant) -> Duration {
        guard boot == later.boot else { return .zero }
        return .seconds(later.wall.timeIntervalSince(wall)) - (later.uptime - uptime)
    }
}

extension Duration {
    /// The nanoseconds, limited to what Int64 holds (292 years).
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflowOfSum) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflow || overflowOfSum ? (seconds < 0 ? .min : .max) : sum
    }

    package var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }

    /// Creates a duration from a number of seconds of a request or a configuration: NaN counts as zero, and values
    /// beyond 100 years are limited, so that sums cannot overflow.
    package init(limiting seconds: Double) {
        let limit = 3_155_760_000.0
        self = .seconds(seconds.isNaN ? 0 : min(max(seconds, -limit), limit))
    }
}
