import Foundation
import FoundationNetworking
import Testing

@testable import AdaptableSession

@Suite struct BodyLengthTests {
    /// RFC 9110 §8.6: one or more digits.
    @Test(
        arguments: [
            ("10", 10), ("0", 0), (" 7 ", 7), ("-5", nil), ("+5", nil), ("1e3", nil), ("0x10", nil), ("5, 5", nil),
            ("٣", nil), ("99999999999999999999", nil),
        ] as [(String, Int64?)])
    func `a stream has the length of the Content-Length field if that is a number`(text: String, length: Int64?) throws
    {
        var request = URLRequest(url: try #require(URL(string: "http://a.test/")))
        request.setValue(text, forHTTPHeaderField: "Content-Length")
        #expect(BodyLength.length(of: .stream, request) == length)
    }
}
