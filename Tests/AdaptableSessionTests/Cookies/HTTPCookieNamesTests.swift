import Foundation
import FoundationNetworking
import Testing

@testable import AdaptableSession

/// The members with HTTPCookie's names. A Set-Cookie field can hold commas itself, in dates and in values, so joined fields
/// are the hard case.
@Suite struct HTTPCookieNamesTests {
    private let url = URL(string: "http://h.test/a/b")!

    @Test func `joined Set-Cookie fields are split between cookies only`() {
        let joined = """
            a=1; Expires=Wed, 09 Jun 2077 10:18:14 GMT; Path=/, b=x,y; Secure, =only, c=3; Expires=Fri, 01 Jan 2077 \
            00:00:00 GMT
            """
        let cookies = AdaptableCookie.cookies(
            withResponseHeaderFields: ["set-cookie": joined, "Other": "d=4"], for: url)
        #expect(cookies.map(\.name) == ["a", "b", "c"])
        #expect(cookies.map(\.value) == ["1", "x,y", "3"])
        #expect(cookies.map(\.path) == ["/", "/a", "/a"])
        #expect(cookies.map(\.isSessionOnly) == [false, true, false])
        #expect(AdaptableCookie.cookies(withResponseHeaderFields: [:], for: url).isEmpty)
    }

    @Test func `properties create the same cookie again`() throws {
        let cookie = AdaptableCookie(
            name: "a", value: "1", domain: ".h.test", path: "/x",
            expiresDate: Date(timeIntervalSince1970: 4_000_000_000),
            isSecure: true, isHTTPOnly: true, sameSitePolicy: .strict)
        let again = try #require(cookie.properties.flatMap { AdaptableCookie(properties: $0) })
        #expect(again == cookie)
        #expect(cookie.version == 0 && cookie.comment == nil && cookie.commentURL == nil && cookie.portList == nil)
    }

    @Test func `cookies are sorted by several descriptors`() {
        let storage = AdaptableCookieStorage()
        for (name, value) in [("a", "2"), ("b", "1"), ("c", "2")] {
            storage.setCookie(AdaptableCookie(name: name, value: value, domain: "h.test"))
        }
        let order = [
            NSSortDescriptor(keyPath: \AdaptableCookie.value, ascending: true),
            NSSortDescriptor(keyPath: \AdaptableCookie.name, ascending: false),
        ]
        #expect(storage.sortedCookies(using: order).map(\.name) == ["b", "c", "a"])
    }
}
