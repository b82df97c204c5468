import HTTPFields
import Testing

/// 784,111,777 is the example of RFC 9110 §5.6.7; the other values come from `date -u -d … +%s`: ordinary days, both sides
/// of leap days, and a century without one.
struct HTTPDateTests {
    private let now = HTTPDate(seconds: 1_800_000_000)

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        // The fixed columns with other letters, and one character more.
        "sun, 06 nov 1994 08:49:37 GMT", "Sun,  06 Nov 1994 08:49:37 GMT",
    ])
    func `the three date formats mean the same moment`(text: String) {
        #expect(HTTPDate(text, now: now) == HTTPDate(seconds: 784_111_777))
    }

    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400), ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800),
            ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199), ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400),
            ("Wed, 31 Dec 1969 23:59:59 GMT", -1), ("Mon, 01 Jan 1601 00:00:00 GMT", -11_644_473_600),
        ] as [(String, Int64)])
    func `a date is written as it is read`(text: String, seconds: Int64) {
        #expect(HTTPDate(text, now: now)?.seconds == seconds)
        #expect(HTTPDate(seconds: seconds).description == text)
    }

    @Test(arguments: [.max, .min, 253_402_300_800, -11_644_473_601] as [Int64])
    func `a date outside the representable years becomes the first or the last of them`(seconds: Int64) {
        let text = HTTPDate(seconds: seconds).description
        #expect(text == (seconds > 0 ? "Fri, 31 Dec 9999 23:59:59 GMT" : "Mon, 01 Jan 1601 00:00:00 GMT"))
        // The century of a two-digit year depends on the clock, whatever its time.
        _ = HTTPDate("Sunday, 06-Nov-94 08:49:37 GMT", now: HTTPDate(seconds: seconds))
    }

    @Test func `a two-digit year is at most fifty years in the future`() {
        #expect(HTTPDate("Sunday, 06-Nov-60 08:49:37 GMT", now: now)?.description.contains("2060") == true)
        #expect(HTTPDate("Sunday, 06-Nov-94 08:49:37 GMT", now: now)?.description.contains("1994") == true)
    }

    @Test(arguments: [
        "", "0", "-1", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
        "tomorrow", "Sun, 06 Nov 1994 08:49:37 CET", "Sun Nov  6 08:49:37 1994 GMT",
    ])
    func `an invalid date is refused`(text: String) {
        #expect(HTTPDate(text, now: now) == nil)
    }
}
