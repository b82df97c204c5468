/// A time on the run's monotonic clock, in nanoseconds from an origin that the caller chooses.
package struct LinkTime: Hashable, Sendable, Comparable, CustomStringConvertible {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    package static let zero = LinkTime(nanoseconds: 0)
    /// Later than every other time.
    package static let distantFuture = LinkTime(nanoseconds: .max)

    package static func < (left: LinkTime, right: LinkTime) -> Bool { left.nanoseconds < right.nanoseconds }

    /// Adds nanoseconds and saturates, so that `distantFuture` plus a delay stays `distantFuture` instead of trapping.
    package static func + (time: LinkTime, nanoseconds: Int64) -> LinkTime {
        let (sum, overflow) = time.nanoseconds.addingReportingOverflow(nanoseconds)
        return LinkTime(nanoseconds: overflow ? (nanoseconds < 0 ? .min : .max) : sum)
    }
    package static func - (time: LinkTime, nanoseconds: Int64) -> LinkTime {
        let (difference, overflow) = time.nanoseconds.subtractingReportingOverflow(nanoseconds)
        return LinkTime(nanoseconds: overflow ? (nanoseconds < 0 ? .max : .min) : difference)
    }
    /// Returns the nanoseconds from `right` to `left`.
    package static func - (left: LinkTime, right: LinkTime) -> Int64 {
        let (difference, overflow) = left.nanoseconds.subtractingReportingOverflow(right.nanoseconds)
        return overflow ? (left.nanoseconds < 0 ? .min : .max) : difference
    }

    package var description: String { "\(nanoseconds)ns" }
}
