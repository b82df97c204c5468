import Foundation
import Testing

@testable import AdaptableSession

/// rfc6265bis §5.6, clause by clause.
struct SetCookieReaderTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func read(_ line: String, _ url: String = "http://h.test/a/b/c", _ policy: CookiePolicy = CookiePolicy())
        -> AdaptableCookie?
    {
        SetCookieReader(policy: policy).read(line, from: URL(string: url)!, now: Self.now)
    }

    private func lifetime(_ line: String, _ policy: CookiePolicy = CookiePolicy()) -> Double? {
        read(line, "http://h.test/", policy)?.expiresDate?.timeIntervalSince(Self.now)
    }

    @Test func `all attributes are read in any order and case`() {
        let cookie = read(#" s = "1=2" ; SECURE; path=/x;httponly ; Domain=.H.Test; SameSite=Lax; Unknown=1"#)
        #expect(cookie?.name == "s")
        #expect(cookie?.value == #""1=2""#)
        #expect(cookie?.domain == ".h.test")
        #expect(cookie?.path == "/x")
        #expect(
            cookie?.isSecure == true && cookie?.isHTTPOnly == true && cookie?.sameSitePolicy == .lax
                && cookie?.isSessionOnly == true)
    }

    @Test(arguments: [("a", "", "a"), ("=a", "", "a"), ("a=", "a", ""), ("a==b", "a", "=b")])
    func `the first equals sign separates name and value, and without one the name is empty`(
        line: String, name: String, value: String
    ) {
        #expect(read(line)?.name == name)
        #expect(read(line)?.value == value)
    }

    @Test(arguments: ["", "=", " ; Path=/", "a=\u{1}", "a\u{7F}=1", "a=" + String(repeating: "x", count: 4_096)])
    func `empty pairs, control characters and long pairs are ignored`(line: String) {
        #expect(read(line) == nil)
    }

    @Test(arguments: [
        ("/a/b/c", "/a/b"), ("/a/b/", "/a/b"), ("/a", "/"), ("/", "/"), ("", "/"),
    ])
    func `without a path the directory of the request is used`(path: String, expected: String) {
        #expect(read("a=1", "http://h.test\(path)")?.path == expected)
        #expect(read("a=1; Path=x", "http://h.test\(path)")?.path == expected)
        #expect(read("a=1; Path=/y; Path=", "http://h.test\(path)")?.path == expected)
    }

    @Test func `Max-Age overrides Expires and both are limited to 400 days`() {
        let past = "Expires=Sun, 06 Nov 1994 08:49:37 GMT"
        #expect(lifetime("a=1; Max-Age=60; \(past)") == 60)
        #expect(lifetime("a=1; Max-Age=9999999999999999999999") == 34_560_000.0)
        #expect(lifetime("a=1; Expires=Fri, 31 Dec 9999 23:59:59 GMT") == 34_560_000.0)
        #expect(lifetime("a=1; Max-Age=x; Max-Age=-1")! < 0)
        #expect(lifetime("a=1; Max-Age=0")! < 0)
        #expect(lifetime("a=1; Max-Age=1x") == nil)
        #expect(lifetime("a=1; \(past); Expires=rubbish")! < 0)
        var policy = CookiePolicy()
        policy.maxAgeOutranksExpires = false
        #expect(lifetime("a=1; Max-Age=60; \(past)", policy)! < 0)
    }

    @Test func `an attribute that is too long is ignored`() {
        #expect(read("a=1; Path=/" + String(repeating: "x", count: 1_024))?.path == "/a/b")
    }
}
