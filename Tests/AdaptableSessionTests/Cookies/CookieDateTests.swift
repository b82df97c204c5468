import AdaptableSession
import Foundation
import HTTPFields
import Testing

/// 784,111,777 is 6 November 1994, 08:49:37; the unusual forms are those that the algorithm of rfc6265bis §5.1.1
/// accepts or rejects.
struct CookieDateTests {
    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        "6 nov 1994 8:49:37",
        "1994/06/November 08:49:37", "08:49:37 06 Nov 94 99", "06th Nov 1994 08:49:37x",
    ])
    func `the parts of a date may be in any order`(text: String) {
        #expect(CookieDate.parse(text)?.timeIntervalSince1970 == 784_111_777)
    }

    @Test(arguments: [
        "", "06 Nov 1994", "08:49:37 Nov 1994", "32 Nov 1994 08:49:37", "31 Feb 1994 08:49:37", "06 Nov 1994 24:49:37",
        "06 Nov 1500 08:49:37",
        "06 Nov 12345 08:49:37", "06 Nov 1994 08:49",
    ])
    func `a date with a missing part or an invalid day is rejected`(text: String) {
        #expect(CookieDate.parse(text) == nil)
    }

    @Test(arguments: [("69", "2069"), ("70", "1970"), ("99", "1999"), ("00", "2000")])
    func `two-digit years from 70 belong to the twentieth century`(year: String, expected: String) {
        #expect(
            CookieDate.parse("06 Nov \(year) 08:49:37").map { HTTPDate($0).description }?.contains(expected) == true)
    }
}
