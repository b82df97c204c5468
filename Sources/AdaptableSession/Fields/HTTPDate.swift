package import Foundation

/// The dates of header fields: IMF-fixdate, and the two obsolete formats that recipients must accept (RFC 9110 §5.6.7).
package enum HTTPDate {
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    private static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    /// Begins with Thursday, the weekday of 1 January 1970.
    private static let dayNames = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

    /// Returns nil if the text has none of the formats. A two-digit year more than 50 years ahead of `now` belongs to
    /// the last century.
    package static func parse(_ text: String, now: Date) -> Date? {
        let words = text.split { $0 == " " || $0 == "," || $0 == "-" }.map(String.init)
        switch words.count {
        case 6 where words[3].contains(":"):
            // Sun Nov  6 08:49:37 1994 GMT is not a valid format; asctime's has five words.
            return nil
        case 6:
            // Sun, 06 Nov 1994 08:49:37 GMT and Sunday, 06-Nov-94 08:49:37 GMT
            guard words[5] == "GMT" || words[5] == "UTC", let time = clock(words[4]), let day = Int(words[1]),
                let month = month(words[2]), var year = Int(words[3])
            else { return nil }
            if words[3].utf8.count == 2 {
                year += 2000
                if year > civilYear(now) + 50 { year -= 100 }
            }
            return date(year: year, month: month, day: day, time: time)
        case 5:
            // Sun Nov  6 08:49:37 1994
            guard let month = month(words[1]), let day = Int(words[2]), let time = clock(words[3]),
                let year = Int(words[4])
            else { return nil }
            return date(year: year, month: month, day: day, time: time)
        default: return nil
        }
    }

    /// Returns the date as IMF-fixdate. A date before 1601 or after 9999 is replaced by the first or the last one that
    /// `parse` accepts.
    package static func text(_ date: Date) -> String {
        let seconds = Self.seconds(date)
        let days = Int((Double(seconds) / 86_400).rounded(.down))
        let (year, month, day) = civil(days)
        let rest = seconds - days * 86_400
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let dayName = dayNames[((days % 7) + 7) % 7]
        return
            "\(dayName), \(two(day)) \(monthNames[month - 1]) \(year) \(two(rest / 3_600)):\(two(rest / 60 % 60)):\(two(rest % 60)) GMT"
    }

    /// Returns nil if the day or the time does not exist. A leap second counts as the second before it.
    package static func date(year: Int, month: Int, day: Int, time: (hour: Int, minute: Int, second: Int)) -> Date? {
        guard (1601...9999).contains(year), (1...12).contains(month), (1...31).contains(day),
            (0...23).contains(time.hour),
            (0...59).contains(time.minute), (0...60).contains(time.second)
        else { return nil }
        let days = daysSince1970(year, month, day)
        guard civil(days) == (year, month, day) else { return nil }
        let seconds = days * 86_400 + time.hour * 3_600 + time.minute * 60 + min(time.second, 59)
        return Date(timeIntervalSince1970: Double(seconds))
    }

    package static func month(_ word: some StringProtocol) -> Int? {
        guard word.utf8.count >= 3 else { return nil }
        return months.firstIndex(of: HTTPFieldSyntax.lowercased(word.prefix(3))).map { $0 + 1 }
    }

    private static func clock(_ word: String) -> (hour: Int, minute: Int, second: Int)? {
        let parts = word.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2] else { return nil }
        return (hour, minute, second)
    }

    /// Returns whole seconds since 1970, clamped to the years 1601 to 9999.
    private static func seconds(_ date: Date) -> Int {
        let seconds = date.timeIntervalSince1970
        guard seconds > -11_644_473_600 else { return -11_644_473_600 }
        return Int(min(seconds, 253_402_300_799).rounded(.down))
    }

    private static func civilYear(_ date: Date) -> Int { civil(Int((Double(seconds(date)) / 86_400).rounded(.down))).0 }

    /// Returns the days since 1970 in the proleptic Gregorian calendar. Years begin in March, so that the leap day
    /// comes last.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let marchYear = month <= 2 ? year - 1 : year
        let era = marchYear / 400
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(_ days: Int) -> (Int, Int, Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth + (marchMonth < 10 ? 3 : -9)
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }
}
