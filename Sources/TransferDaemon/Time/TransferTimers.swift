package import Foundation

/// The time limits of one task, as remaining time from a common instant, so that neither a change of the wall clock nor
/// a restart makes a task begin early or wait longer than it asked for.
package struct TransferTimers: Hashable, Sendable {
    /// The instant from which the remaining times count.
    package private(set) var anchor: TransferInstant
    /// The time until the earliest begin date; nil without one.
    package private(set) var begin: Duration?
    /// The time until the next attempt after a failed one.
    package private(set) var retry: Duration?
    /// The time until the resource timeout.
    package private(set) var resource: Duration
    /// The resource timeout stands still until the task is resumed, and while it is suspended (URLSessionTask.suspend).
    package private(set) var resourceRuns: Bool

    package init(
        anchor: TransferInstant, begin: Duration? = nil, retry: Duration? = nil, resource: Duration,
        resourceRuns: Bool = false
    ) {
        self.anchor = anchor
        self.begin = begin
        self.retry = retry
        self.resource = resource
        self.resourceRuns = resourceRuns
    }

    /// Returns the timers of a new, suspended task. The difference between begin date and wall clock is taken once, now.
    package static func new(earliestBegin: Date?, resourceTimeout: Double, at now: TransferInstant) -> TransferTimers {
        TransferTimers(
            anchor: now, begin: earliestBegin.map { wait(until: $0, at: now) },
            resource: max(.zero, Duration(limiting: resourceTimeout)))
    }

    package mutating func setEarliestBegin(_ date: Date?, at now: TransferInstant) {
        self = TransferTimers.moved(self, to: now)
        begin = date.map { TransferTimers.wait(until: $0, at: now) }
    }

    package mutating func setRetry(after delay: Duration?, at now: TransferInstant) {
        self = TransferTimers.moved(self, to: now)
        retry = delay
    }

    package mutating func setResourceRuns(_ runs: Bool, at now: TransferInstant) {
        self = TransferTimers.moved(self, to: now)
        resourceRuns = runs
    }

    private static func wait(until date: Date, at now: TransferInstant) -> Duration {
        max(.zero, Duration(limiting: date.timeIntervalSince(now.wall)))
    }

    /// Returns the same limits counted from `now`.
    package static func moved(_ timers: TransferTimers, to now: TransferInstant) -> TransferTimers {
        TransferTimers(
            anchor: now, begin: timers.untilBegin(at: now), retry: timers.untilRetry(at: now),
            resource: timers.untilResourceTimeout(at: now), resourceRuns: timers.resourceRuns)
    }

    /// Returns the time until the begin date; nil without one, zero after it.
    package func untilBegin(at now: TransferInstant) -> Duration? {
        begin.map { max(.zero, $0 - now.elapsed(since: anchor)) }
    }

    package func untilRetry(at now: TransferInstant) -> Duration? {
        retry.map { max(.zero, $0 - now.elapsed(since: anchor)) }
    }

    /// Returns the time until the resource timeout.
    ///
    /// It does not run before the begin date: a task that asks to begin in 8 days would otherwise always fail with the
    /// default of 7 days. The documents leave this open.
    package func untilResourceTimeout(at now: TransferInstant) -> Duration {
        guard resourceRuns else { return resource }
        return max(.zero, resource - max(.zero, now.elapsed(since: anchor) - (begin ?? .zero)))
    }
}
