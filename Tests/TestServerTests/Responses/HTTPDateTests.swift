import Testing

@testable import TestServer

/// The example of RFC 9110 §5.6.7 and days around leap days, checked against `date -u -d @N`.
struct HTTPDateTests {
    @Test(arguments: [
        (784_111_777 as Int64, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (951_868_800, "Wed, 01 Mar 2000 00:00:00 GMT"),
        (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"),
        (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
    ])
    func `seconds and text are converted both ways`(seconds: Int64, text: String) {
        #expect(HTTPDate(seconds: seconds).description == text)
        #expect(HTTPDate(text)?.seconds == seconds)
    }

    @Test(arguments: [
        "", "yesterday", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET",
        "Sun, 06 Nov 1994 25:49:37 GMT",
    ])
    func `other texts are not dates`(text: String) {
        #expect(HTTPDate(text) == nil)
    }
}
