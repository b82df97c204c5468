import Foundation
import HTTPFields
import Testing

@testable import AdaptableSession

/// RFC 9111 §4.2, with times chosen so that each term of the sum has a visible effect.
struct CacheFreshnessTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    /// The request is sent 3 s and the response received 2 s before `now`.
    static func exchange(_ fields: HeaderFields) -> StoredExchange {
        StoredExchange(
            url: URL(string: "http://h.test/a")!, status: 200, fields: fields, requestTime: now - 5,
            responseTime: now - 2)
    }

    private static func date(_ offset: Double) -> String { HTTPDate(now + offset).description }

    private static let lifetimes: [(HeaderFields, Double)] = [
        (["Cache-Control": "max-age=60"], 60), (["Cache-Control": "MAX-AGE=\"60\""], 60),
        (["Cache-Control": "max-age=60, max-age=5"], 60),
        (["Cache-Control": "max-age=x"], 0), (["Cache-Control": "max-age=99999999999999"], 2_147_483_648),
        (["Cache-Control": "s-maxage=60"], 0),
        (["Expires": "0"], 0), (["Cache-Control": "max-age=60", "Expires": "0"], 60),
        (["Date": date(-2), "Expires": date(28)], 30), (["Expires": date(28)], 30),
        (["Date": date(-2), "Expires": date(-100)], 0),
        (["Date": date(-2), "Last-Modified": date(-1_002)], 100),
        (["Date": date(-2), "Last-Modified": date(-8_640_002)], 604_800),
        (["Date": date(-2), "Last-Modified": date(10)], 0),
        (["Cache-Control": "max-age=0", "Last-Modified": date(-1_002)], 0), ([:], 0),
    ]

    @Test(arguments: lifetimes)
    func `the first given lifetime is used`(fields: HeaderFields, seconds: Double) {
        #expect(CacheFreshness().lifetime(Self.exchange(fields)) == seconds)
    }

    /// Two seconds in the cache, and three in transit, which are added to the Age field.
    private static let ages: [(HeaderFields, Double)] = [
        ([:], 5), (["Date": date(-2)], 5), (["Date": date(-102)], 102), (["Age": "50"], 55),
        (["Date": date(-102), "Age": "200"], 205),
        (["Age": "x"], 5), (["Date": date(100)], 5),
    ]

    @Test(arguments: ages)
    func `the age includes the time before the response arrived`(fields: HeaderFields, seconds: Double) {
        #expect(CacheFreshness().age(Self.exchange(fields), now: Self.now) == seconds)
    }

    @Test func `the policy changes the behaviour that it describes`() {
        var policy = CachePolicy()
        policy.countsAge = false
        #expect(CacheFreshness(policy: policy).age(Self.exchange(["Age": "50"]), now: Self.now) == 2)
    }
}
