import ScenarioLanguage
import HTTPFields

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

    /// Returns a moment of a time axis without final zeros: `0 s`, `35.2 ms`, `200 ms`, `1.2 s`.
    static func moment(_ nanoseconds: Int64) -> String {
        let time = max(0, nanoseconds)
        let hundredths = (time + 5000) / 10_000
        if time > 0, hundredths < 100_000 { return "\(decimal(hundredths, places: 2)) ms" }
        return "\(decimal((time + 500) / 1000, places: 6)) s"
    }

    private static func decimal(_ number: Int64, places: Int) -> String {
        let unit = (0..<places).reduce(Int64(1)) { unit, _ in unit * 10 }
        var fraction = padded(number % unit, places)
        while fraction.last == "0" { fraction.removeLast() }
        return fraction.isEmpty ? "\(number / unit)" : "\(number / unit).\(fraction)"
    }

    /// Returns `04:59` or `1:04:59`.
    static func clock(_ duration: Duration) -> String {
        let seconds = max(0, duration.components.seconds)
        let minutes = "\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))"
        return seconds >= 3600 ? "\(seconds / 3600):\(minutes)" : minutes
    }

    /// Returns seconds since 1970 as `2026-11-21T05:49:22` in UTC, the form of JUnit's schema.
    static func timestamp(_ secondsSince1970: Int64) -> String {
        let days = (secondsSince1970 - (secondsSince1970 < 0 ? 86_399 : 0)) / 86_400
        let second = secondsSince1970 - days * 86_400
        let date = CivilDate(daysSince1970: Int(days))
        let day = "\(padded(Int64(date.year), 4))-\(padded(Int64(date.month), 2))-\(padded(Int64(date.day), 2))"
        return "\(day)T\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
