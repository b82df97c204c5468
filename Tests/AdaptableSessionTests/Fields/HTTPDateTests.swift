import AdaptableSession
import Foundation
import Testing

/// 784,111,777 is the example of RFC 9110 §5.6.7; the other values come from `date -u -d … +%s`.
struct HTTPDateTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test(arguments: ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"])
    func `the three date formats mean the same moment`(text: String) {
        #expect(HTTPDate.parse(text, now: now)?.timeIntervalSince1970 == 784_111_777)
    }

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777.0), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000),
        ("Sat, 01 Jan 2000 00:00:00 GMT", 946_684_800), ("Mon, 01 Jan 1601 00:00:00 GMT", -11_644_473_600),
    ])
    func `a date is written as it is read`(text: String, seconds: Double) {
        #expect(HTTPDate.parse(text, now: now)?.timeIntervalSince1970 == seconds)
        #expect(HTTPDate.text(Date(timeIntervalSince1970: seconds)) == text)
    }

    @Test(
        arguments: [
            .infinity, -.infinity, .nan, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 1e18, 253_402_300_800,
            -11_644_473_601,
        ] as [Double])
    func `a date outside the representable years becomes the first or the last of them`(seconds: Double) {
        let text = HTTPDate.text(Date(timeIntervalSince1970: seconds))
        #expect(text == (seconds > 0 ? "Fri, 31 Dec 9999 23:59:59 GMT" : "Mon, 01 Jan 1601 00:00:00 GMT"))
        // The century of a two-digit year depends on the clock, whatever its time.
        _ = HTTPDate.parse("Sunday, 06-Nov-94 08:49:37 GMT", now: Date(timeIntervalSince1970: seconds))
    }

    @Test func `a two-digit year is at most fifty years in the future`() {
        #expect(HTTPDate.parse("Sunday, 06-Nov-60 08:49:37 GMT", now: now).map(HTTPDate.text)?.contains("2060") == true)
        #expect(HTTPDate.parse("Sunday, 06-Nov-94 08:49:37 GMT", now: now).map(HTTPDate.text)?.contains("1994") == true)
    }

    @Test(arguments: [
        "", "0", "-1", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
        "tomorrow",
    ])
    func `an invalid date is refused`(text: String) {
        #expect(HTTPDate.parse(text, now: now) == nil)
    }
}
