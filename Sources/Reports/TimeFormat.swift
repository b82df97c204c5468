import Scenario

/// Formats times for people and for machines.
enum TimeFormat {
    /// Returns a duration as `0.05 s`, `12.30 s` or `3 min 02.5 s`.
    static func length(_ duration: Duration) -> String {
        let nanoseconds = max(0, duration.nanoseconds)
        let hundredths = (nanoseconds + 5_000_000) / 10_000_000
        if hundredths < 6000 { return "\(hundredths / 100).\(padded(hundredths % 100, 2)) s" }
        let tenths = (nanoseconds + 50_000_000) / 100_000_000
        return "\(tenths / 600) min \(padded(tenths / 10 % 60, 2)).\(tenths % 10) s"
    }

    /// Returns seconds with three decimals and no unit, for machines.
    static func seconds(_ duration: Duration) -> String {
        let milliseconds = (max(0, duration.nanoseconds) + 500_000) / 1_000_000
        return "\(milliseconds / 1000).\(padded(milliseconds % 1000, 3))"
    }

    /// Returns the time since the start of the run, to the microsecond: `+1.234567 s`.
    static func sinceStart(_ nanoseconds: Int64) -> String {
        let sign = nanoseconds < 0 ? "-" : "+"
        let microseconds = nanoseconds.magnitude / 1000
        return "\(sign)\(microseconds / 1_000_000).\(padded(Int64(microseconds % 1_000_000), 6)) s"
    }

    /// Returns a delay in milliseconds: `35.2 ms`.
    static func milliseconds(_ nanoseconds: Int64) -> String {
        let hundredths = (nanoseconds + (nanoseconds < 0 ? -5000 : 5000)) / 10_000
        let sign = hundredths < 0 ? "-" : ""
        return "\(sign)\(hundredths.magnitude / 100).\(padded(Int64(hundredths.magnitude % 100), 2)) ms"
    }

    /// Returns `04:59` or `1:04:59`.
    static func clock(_ duration: Duration) -> String {
        let seconds = max(0, duration.components.seconds)
        let minutes = "\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))"
        return seconds >= 3600 ? "\(seconds / 3600):\(minutes)" : minutes
    }

    /// Returns seconds since 1970 as `2026-11-21T05:49:22` in UTC, the form of JUnit's schema.
    static func timestamp(_ secondsSince1970: Int64) -> String {
        let (days, second) = secondsSince1970.flooredDivision(by: 86400)
        // The civil calendar computed from day numbers, in eras of 400 years that begin on 1 March, so that a leap day
        // is the last day.
        let (era, day) = (days + 719_468).flooredDivision(by: 146_097)
        let year = (day - day / 1460 + day / 36524 - day / 146_096) / 365
        let dayOfYear = day - (365 * year + year / 4 - year / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let dayOfMonth = dayOfYear - (153 * shifted + 2) / 5 + 1
        let date = "\(padded(era * 400 + year + (month <= 2 ? 1 : 0), 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))"
        return "\(date)T\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension Int64 {
    fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
