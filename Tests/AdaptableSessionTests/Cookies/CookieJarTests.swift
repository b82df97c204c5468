import Foundation
import Testing

@testable import AdaptableSession

/// rfc6265bis §5.7 (storing) and §5.8 (sending).
struct CookieJarTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private struct Browser {
        var jar: CookieJar
        var reader: SetCookieReader
        var now = CookieJarTests.now

        init(_ change: (inout CookiePolicy) -> Void = { _ in }) {
            var policy = CookiePolicy()
            change(&policy)
            jar = CookieJar(policy: policy)
            reader = SetCookieReader(policy: policy)
        }

        @discardableResult
        mutating func get(_ url: String, sets line: String, main: String? = nil) throws -> CookieJar.Refusal? {
            let url = try #require(URL(string: url))
            let cookie = try #require(reader.read(line, from: url, now: now))
            return jar.store(
                cookie, from: CookieJar.Site(url, mainDocument: main.flatMap { URL(string: $0) }), now: now)
        }

        mutating func sends(_ url: String, main: String? = nil) -> String? {
            let site = CookieJar.Site(URL(string: url)!, mainDocument: main.flatMap { URL(string: $0) })
            return AdaptableCookie.requestField(with: jar.cookies(for: site, now: now))
        }
    }

    @Test(arguments: [
        ("http://h.test/", true), ("https://h.test:8443/x", true), ("http://sub.h.test/", false),
        ("http://xh.test/", false), ("http://test/", false),
    ])
    func `a cookie without a domain is sent to its host only`(url: String, sent: Bool) throws {
        var browser = Browser()
        #expect(try browser.get("http://h.test/", sets: "s=1") == nil)
        #expect((browser.sends(url) != nil) == sent)
    }

    @Test(arguments: [
        ("http://h.test/", true), ("http://a.b.h.test/", true), ("http://xh.test/", false), ("http://o.test/", false),
    ])
    func `a cookie with a domain is sent to its subdomains`(url: String, sent: Bool) throws {
        var browser = Browser()
        #expect(try browser.get("http://sub.h.test/", sets: "s=1; Domain=h.test") == nil)
        #expect((browser.sends(url) != nil) == sent)
    }

    @Test func `a foreign domain, a public suffix and a part of an address are refused`() throws {
        var browser = Browser()
        #expect(try browser.get("http://h.test/", sets: "s=1; Domain=o.test") == .foreignDomain)
        #expect(try browser.get("http://h.test/", sets: "s=1; Domain=sub.h.test") == .foreignDomain)
        #expect(try browser.get("http://a.com.au/", sets: "s=1; Domain=com.au") == .publicSuffix)
        #expect(try browser.get("http://a.com/", sets: "s=1; Domain=com") == .publicSuffix)
        #expect(try browser.get("http://a.b.unlisted/", sets: "s=1; Domain=unlisted") == .publicSuffix)
        #expect(try browser.get("http://10.0.0.1/", sets: "s=1; Domain=0.0.1") == .foreignDomain)
        #expect(browser.jar.all(now: Self.now).isEmpty)
        #expect(try browser.get("http://10.0.0.1/", sets: "s=1; Domain=10.0.0.1") == nil)
        #expect(browser.sends("http://10.0.0.1/") == "s=1")
    }

    @Test func `a host that is a public suffix keeps its cookie as a host-only cookie`() throws {
        var browser = Browser()
        #expect(try browser.get("http://github.io/", sets: "s=1; Domain=github.io") == nil)
        #expect(browser.sends("http://github.io/") == "s=1")
        #expect(browser.sends("http://ann.github.io/") == nil)
    }

    @Test(arguments: [("/a", true), ("/a/", true), ("/a/b", true), ("/ab", false), ("/", false), ("/A", false)])
    func `a path covers the paths below it`(path: String, sent: Bool) throws {
        var browser = Browser()
        try browser.get("http://h.test/", sets: "s=1; Path=/a")
        #expect((browser.sends("http://h.test\(path)") != nil) == sent)
    }

    @Test func `a secure cookie is set and sent over https only and not replaced over http`() throws {
        var browser = Browser()
        #expect(try browser.get("http://h.test/", sets: "s=1; Secure") == .secureFromPlain)
        #expect(try browser.get("https://h.test/", sets: "s=1; Secure; Path=/a") == nil)
        #expect(browser.sends("http://h.test/a") == nil)
        #expect(browser.sends("https://h.test/a") == "s=1")
        #expect(try browser.get("http://h.test/", sets: "s=2; Path=/a/b") == .coversSecure)
        #expect(try browser.get("http://sub.h.test/", sets: "s=2; Domain=h.test; Path=/a") == .coversSecure)
        #expect(try browser.get("http://h.test/", sets: "s=2; Path=/") == nil)
        #expect(try browser.get("https://h.test/", sets: "s=3; Path=/a") == nil)
    }

    @Test func `the requirements of cookie name prefixes are enforced`() throws {
        var browser = Browser()
        #expect(try browser.get("https://h.test/", sets: "__Secure-s=1") == .prefix)
        #expect(try browser.get("https://h.test/", sets: "__Secure-s=1; Secure") == nil)
        #expect(try browser.get("https://h.test/", sets: "__host-s=1; Secure; Path=/") == nil)
        for line in [
            "__Host-s=1; Path=/", "__HOST-s=1; Secure", "__Host-s=1; Secure; Path=/a",
            "__Host-s=1; Secure; Path=/; Domain=h.test", "=__Host-s=1; Secure; Path=/",
        ] {
            #expect(try browser.get("https://h.test/", sets: line) == .prefix, "\(line)")
        }
    }

    @Test func `SameSite limits a cookie to the site of the main document`() throws {
        var browser = Browser()
        #expect(try browser.get("http://h.test/", sets: "n=1; SameSite=None") == .sameSiteNoneWithoutSecure)
        try browser.get("https://h.test/", sets: "n=1; SameSite=None; Secure")
        try browser.get("https://h.test/", sets: "l=1; SameSite=Lax")
        try browser.get("https://h.test/", sets: "s=1; SameSite=Strict")
        try browser.get("https://h.test/", sets: "d=1")
        #expect(browser.sends("https://h.test/") == "n=1; l=1; s=1; d=1")
        #expect(browser.sends("https://h.test/", main: "https://www.h.test/") == "n=1; l=1; s=1; d=1")
        #expect(browser.sends("https://h.test/", main: "https://o.test/") == "n=1; d=1")
        #expect(try browser.get("https://h.test/", sets: "x=1; SameSite=Strict", main: "https://o.test/") == .crossSite)
    }

    @Test func `longer paths come first, then older cookies, and a replaced cookie keeps its position`() throws {
        var browser = Browser()
        try browser.get("http://h.test/", sets: "a=1; Path=/")
        try browser.get("http://h.test/", sets: "b=1; Path=/")
        try browser.get("http://h.test/", sets: "c=1; Path=/x")
        browser.now += 10
        try browser.get("http://h.test/", sets: "a=2; Path=/")
        #expect(browser.sends("http://h.test/x") == "c=1; a=2; b=1")
    }

    @Test func `expired cookies are not sent and a past date removes a cookie`() throws {
        var browser = Browser()
        try browser.get("http://h.test/", sets: "a=1; Max-Age=60")
        try browser.get("http://h.test/", sets: "b=1; Max-Age=60")
        try browser.get("http://h.test/", sets: "b=; Expires=Sun, 06 Nov 1994 08:49:37 GMT")
        browser.now += 59
        #expect(browser.sends("http://h.test/") == "a=1")
        browser.now += 1
        #expect(browser.sends("http://h.test/") == nil)
        #expect(browser.jar.all(now: browser.now).isEmpty)
    }

    @Test func `the number of cookies per domain is limited, and secure and recently used ones are kept longest`()
        throws
    {
        var browser = Browser()
        try browser.get("https://h.test/", sets: "s=1; Secure")
        // These leave room for two others.
        for number in 3..<180 {
            try browser.get("https://h.test/x/", sets: "x\(number)=1; Secure")
        }
        for name in ["a", "b", "c"] { try browser.get("https://h.test/\(name)/", sets: "\(name)=1") }
        // a was removed when c was added. b is used, so c is removed for d.
        browser.now += 1
        #expect(browser.sends("https://h.test/b/") == "b=1; s=1")
        try browser.get("https://h.test/d/", sets: "d=1")
        #expect(browser.jar.all(now: browser.now).map(\.name).filter { !$0.hasPrefix("x") } == ["s", "b", "d"])
        var full = Browser()
        for number in 0...3_000 { try full.get("http://h\(number).test/", sets: "n\(number)=1") }
        let names = full.jar.all(now: Self.now).map(\.name)
        #expect(names.count == 3_000 && names.first == "n1")
    }

    @Test func `each policy changes the behaviour that it describes`() throws {
        var browser = Browser { $0.refusesPublicSuffixes = false }
        #expect(try browser.get("http://a.com.au/", sets: "s=1; Domain=com.au") == nil)
        browser = Browser {
            $0.acceptsSecureOnlySecurely = false
            $0.sendsSecureOnlySecurely = false
        }
        #expect(try browser.get("http://h.test/", sets: "s=1; Secure") == nil)
        #expect(browser.sends("http://h.test/") == "s=1")
        browser = Browser { $0.protectsSecureFromOverlay = false }
        try browser.get("https://h.test/", sets: "s=1; Secure")
        #expect(try browser.get("http://h.test/", sets: "s=2") == nil)
        browser = Browser { $0.checksPrefixes = false }
        #expect(try browser.get("http://h.test/", sets: "__Host-s=1") == nil)
        browser = Browser { $0.checksDomain = false }
        #expect(try browser.get("http://h.test/", sets: "s=1; Domain=o.test") == nil)
        #expect(browser.sends("http://x.test/") == "s=1")
        browser = Browser { $0.checksPath = false }
        try browser.get("http://h.test/a/", sets: "s=1")
        #expect(browser.sends("http://h.test/") == "s=1")
        browser = Browser { $0.checksSameSite = false }
        #expect(try browser.get("http://h.test/", sets: "s=1; SameSite=Strict", main: "http://o.test/") == nil)
        browser = Browser { $0.requiresSecureForSameSiteNone = false }
        #expect(try browser.get("http://h.test/", sets: "s=1; SameSite=None") == nil)
        browser = Browser { $0.removesExpired = false }
        try browser.get("http://h.test/", sets: "s=1; Max-Age=0")
        #expect(browser.sends("http://h.test/") == "s=1")
        browser = Browser { $0.sortsLongerPathsFirst = false }
        for line in ["a=1; Path=/", "b=1; Path=/x", "a=2; Path=/"] { try browser.get("http://h.test/", sets: line) }
        #expect(browser.sends("http://h.test/x") == "a=2; b=1")
    }
}
