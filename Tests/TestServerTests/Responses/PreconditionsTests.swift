import AdapterProtocol
import HTTPFields
import Testing

@testable import TestServer

/// RFC 9110 §13: the effect of each conditional field on a request; `lastModified` is 5 seconds old in the strong cases
/// and less than a second old in the weak one.
struct PreconditionsTests {
    private let modified = "Sun, 06 Nov 1994 08:49:37 GMT"

    private func judge(
        _ fields: [HeaderField], method: String = "GET", etag: String? = "\"v1\"", age: Int64 = 5
    ) throws -> Preconditions.Verdict {
        let date = try #require(HTTPDate(modified, now: HTTPDate(seconds: 0)))
        return Preconditions(
            etag: etag.flatMap(EntityTag.init(_:)), lastModified: date, lastModifiedText: modified,
            date: HTTPDate(seconds: date.seconds + age)
        ).evaluate(RequestHead(method: method, target: "/", headers: fields))
    }

    @Test(arguments: [
        ("\"v1\"", "\"v1\"", true),
        ("\"v1\"", "\"v2\"", false),
        ("\"v1\"", "W/\"v1\"", false),
        ("W/\"v1\"", "W/\"v1\"", false),
        ("W/\"v1\"", "\"v1\"", false),
        ("\"v1\"", "v1", false),
        (nil, "\"v1\"", false),
    ])
    func `If-Range compares tags strongly`(etag: String?, field: String, honours: Bool) throws {
        #expect(try judge([HeaderField("If-Range", field)], etag: etag) == .proceed(honoursRange: honours))
    }

    @Test func `If-Range accepts a date only when its text is identical and it is strong`() throws {
        let field = [HeaderField("If-Range", modified)]
        #expect(try judge(field) == .proceed(honoursRange: true))
        #expect(try judge(field, age: 1) == .proceed(honoursRange: true))
        #expect(try judge(field, age: 0) == .proceed(honoursRange: false))
        #expect(
            try judge([HeaderField("If-Range", "Mon, 07 Nov 1994 08:49:37 GMT")], age: 500_000)
                == .proceed(honoursRange: false))
        #expect(try judge(field + field) == .proceed(honoursRange: false))
    }

    @Test func `If-None-Match compares weakly and gives 304 only for reading methods`() throws {
        let field = [HeaderField("If-None-Match", "\"a,b\", W/\"v1\"")]
        #expect(try judge(field) == .notModified)
        #expect(try judge(field, method: "HEAD") == .notModified)
        #expect(try judge(field, method: "PUT") == .failed)
        #expect(try judge([HeaderField("If-None-Match", "\"v2\"")]) == .proceed(honoursRange: true))
        #expect(try judge([HeaderField("If-None-Match", "*")]) == .notModified)
    }

    @Test func `If-Modified-Since counts only without If-None-Match`() throws {
        let since = HeaderField("If-Modified-Since", modified)
        #expect(try judge([since]) == .notModified)
        #expect(try judge([since, HeaderField("If-None-Match", "\"v2\"")]) == .proceed(honoursRange: true))
        #expect(
            try judge([HeaderField("If-Modified-Since", "Sat, 05 Nov 1994 08:49:37 GMT")])
                == .proceed(honoursRange: true))
    }

    @Test func `If-Match and If-Unmodified-Since fail with 412`() throws {
        #expect(try judge([HeaderField("If-Match", "\"v2\"")]) == .failed)
        #expect(try judge([HeaderField("If-Match", "\"v1\"")]) == .proceed(honoursRange: true))
        #expect(try judge([HeaderField("If-Match", "W/\"v1\"")]) == .failed)
        #expect(try judge([HeaderField("If-Unmodified-Since", "Sat, 05 Nov 1994 08:49:37 GMT")]) == .failed)
    }
}
