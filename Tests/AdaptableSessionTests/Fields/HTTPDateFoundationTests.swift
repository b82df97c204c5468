import AdaptableSession
import Foundation
import HTTPFields
import Testing

struct HTTPDateFoundationTests {
    @Test(
        arguments: [
            (.infinity, 253_402_300_799), (.greatestFiniteMagnitude, 253_402_300_799), (1e18, 253_402_300_799),
            (-.infinity, -11_644_473_600), (.nan, -11_644_473_600), (-.greatestFiniteMagnitude, -11_644_473_600),
            (-0.5, -1), (1.9, 1),
        ] as [(Double, Int64)])
    func `any date of Foundation has an HTTP date`(time: Double, seconds: Int64) {
        #expect(HTTPDate(Date(timeIntervalSince1970: time)).seconds == seconds)
    }
}
