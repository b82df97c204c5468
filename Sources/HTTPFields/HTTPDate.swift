/// A date of a header field. Read from IMF-fixdate and the two obsolete formats that recipients must accept, written as
/// IMF-fixdate (RFC 9110 §5.6.7).
package struct HTTPDate: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Seconds since 1970, in the years 1601 to 9999.
    package let seconds: Int64

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    /// Begins with Thursday, the weekday of 1 January 1970.
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

    /// A moment outside the years 1601 to 9999 is replaced by the first or the last one.
    package init(seconds: Int64) { self.seconds = min(max(seconds, -11_644_473_600), 253_402_300_799) }

    /// Returns nil if the day or the time does not exist. A leap second counts as the second before it.
    package init?(year: Int, month: Int, day: Int, time: (hour: Int, minute: Int, second: Int)) {
        guard let date = CivilDate(year: year, month: month, day: day), (0...23).contains(time.hour),
            (0...59).contains(time.minute), (0...60).contains(time.second)
        else { return nil }
        seconds = Int64(date.daysSince1970 * 86_400 + time.hour * 3_600 + time.minute * 60 + min(time.second, 59))
    }

    /// Returns nil if the text has none of the formats. A two-digit year more than 50 years ahead of `now` belongs to
    /// the last century.
    package init?(_ text: String, now: HTTPDate) {
        if let date = HTTPDate(fixdate: Array(text.utf8)) {
            self = date
            return
        }
        // Bytes, because finding the ends of characters takes most of the time.
        let words = text.utf8.split { [UInt8(ascii: " "), UInt8(ascii: ","), UInt8(ascii: "-")].contains($0) }
            .map { Substring($0) }
        switch words.count {
        case 6:
            // Sun, 06 Nov 1994 08:49:37 GMT and Sunday, 06-Nov-94 08:49:37 GMT
            guard words[5] == "GMT" || words[5] == "UTC", let time = HTTPDate.clock(words[4]), let day = Int(words[1]),
                let month = HTTPDate.month(words[2]), var year = Int(words[3])
            else { return nil }
            if words[3].utf8.count == 2 {
                year += 2000
                if year > now.civil.year + 50 { year -= 100 }
            }
            self.init(year: year, month: month, day: day, time: time)
        case 5:
            // Sun Nov  6 08:49:37 1994
            guard let month = HTTPDate.month(words[1]), let day = Int(words[2]), let time = HTTPDate.clock(words[3]),
                let year = Int(words[4])
            else { return nil }
            self.init(year: year, month: month, day: day, time: time)
        default: return nil
        }
    }

    /// Reads IMF-fixdate, whose columns are fixed and which almost every response has: `Sun, 06 Nov 1994 08:49:37 GMT`. Nil
    /// for anything else, and in other letter cases.
    private init?(fixdate bytes: [UInt8]) {
        func number(_ range: Range<Int>) -> Int? {
            bytes[range].reduce(0) { number, byte in
                guard let number, (0x30...0x39).contains(byte) else { return nil }
                return number * 10 + Int(byte - 0x30)
            }
        }
        guard bytes.count == 29, bytes[3] == UInt8(ascii: ","), bytes[26...].elementsEqual("GMT".utf8),
            [4, 7, 11, 16, 25].allSatisfy({ bytes[$0] == UInt8(ascii: " ") }),
            bytes[19] == UInt8(ascii: ":"), bytes[22] == UInt8(ascii: ":"),
            let month = HTTPDate.months.firstIndex(where: { $0.utf8.elementsEqual(bytes[8..<11]) }),
            let day = number(5..<7), let year = number(12..<16), let hour = number(17..<19),
            let minute = number(20..<22), let second = number(23..<25)
        else { return nil }
        self.init(year: year, month: month + 1, day: day, time: (hour, minute, second))
    }

    package var description: String {
        let date = civil
        let day = date.daysSince1970
        let second = Int(seconds) - day * 86_400
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return
            "\(HTTPDate.weekdays[((day % 7) + 7) % 7]), \(two(date.day)) \(HTTPDate.months[date.month - 1]) \(date.year) \(two(second / 3_600)):\(two(second / 60 % 60)):\(two(second % 60)) GMT"
    }

    package static func < (left: HTTPDate, right: HTTPDate) -> Bool { left.seconds < right.seconds }

    /// Returns the number of the month whose English name begins as the word does, without case.
    package static func month(_ word: Substring) -> Int? {
        guard word.utf8.count >= 3 else { return nil }
        let start = word.prefix(3)
        return months.firstIndex { HTTPFieldSyntax.equal(start, $0) }.map { $0 + 1 }
    }

    private var civil: CivilDate {
        CivilDate(daysSince1970: Int(seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400))
    }

    private static func clock(_ word: Substring) -> (hour: Int, minute: Int, second: Int)? {
        let parts = word.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map {
            Int(Substring($0))
        }
        guard parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2] else { return nil }
        return (hour, minute, second)
    }
}
