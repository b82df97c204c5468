import Foundation
import FoundationNetworking
import Synchronization
import Testing

@testable import AdaptableSession

struct AdaptableCookieStorageTests {
    private let url = URL(string: "http://h.test/a/")!

    private func cookie(_ name: String) -> AdaptableCookie {
        AdaptableCookie(name: name, value: "1", domain: "h.test", path: "/")
    }

    @Test func `cookies are set, found, deleted and removed since a date`() {
        let storage = AdaptableCookieStorage()
        storage.setCookie(cookie("a"))
        storage.setCookies(
            [cookie("b"), AdaptableCookie(name: "c", value: "1", domain: "o.test")], for: url, mainDocumentURL: nil)
        #expect(storage.cookies(for: url)?.map(\.name) == ["a", "b"])
        storage.deleteCookie(cookie("a"))
        #expect(storage.cookies?.map(\.name) == ["b"])
        storage.removeCookies(since: Date().addingTimeInterval(60))
        #expect(storage.cookies?.count == 1)
        storage.removeCookies(since: Date().addingTimeInterval(-60))
        #expect(storage.cookies == [])
        #expect(AdaptableCookieStorage().cookies(for: url) == [])
    }

    @Test(arguments: [
        (HTTPCookie.AcceptPolicy.always, 2), (.onlyFromMainDocumentDomain, 1), (.never, 0),
    ])
    func `the accept policy considers the main document`(policy: HTTPCookie.AcceptPolicy, count: Int) {
        let storage = AdaptableCookieStorage()
        storage.cookieAcceptPolicy = policy
        storage.setCookies([cookie("own")], for: url, mainDocumentURL: URL(string: "http://www.h.test/"))
        storage.setCookies([cookie("third")], for: url, mainDocumentURL: URL(string: "http://o.test/"))
        #expect(storage.cookies?.count == count)
    }

    @Test func `the session's cookie settings apply before its storage is queried`() throws {
        let storage = AdaptableCookieStorage()
        var request = URLRequest(url: url)
        var exchange = CookieExchange(
            policy: CookiePolicy(), sessionSends: true, acceptance: .onlyFromMainDocumentDomain)
        let fields: HeaderFields = ["Set-Cookie": "a=1", "set-cookie": "b=1, c"]
        #expect(exchange.usesStorage(for: request))
        #expect(
            exchange.accepted(fields, answering: request, storage: storage, now: Date()).map(\.value) == ["1", "1, c"])
        request.mainDocumentURL = URL(string: "http://o.test/")
        #expect(exchange.accepted(fields, answering: request, storage: storage, now: Date()).isEmpty)
        exchange.acceptance = .always
        #expect(exchange.accepted(fields, answering: request, storage: storage, now: Date()).count == 2)
        exchange.acceptance = .never
        #expect(exchange.accepted(fields, answering: request, storage: storage, now: Date()).isEmpty)
        exchange.acceptance = .always
        exchange.sessionSends = false
        #expect(!exchange.usesStorage(for: request))
        exchange.sessionSends = true
        request.setValue("own=1", forHTTPHeaderField: "Cookie")
        #expect(!exchange.usesStorage(for: request))
        exchange.policy.ownFieldStands = false
        #expect(exchange.usesStorage(for: request))
        request.httpShouldHandleCookies = false
        #expect(!exchange.usesStorage(for: request))
        #expect(exchange.accepted(fields, answering: request, storage: storage, now: Date()).isEmpty)
    }

    @Test func `a cookie survives conversion to HTTPCookie and back`() throws {
        let cookie = AdaptableCookie(
            name: "a", value: "1", domain: ".H.test", path: "/x",
            expiresDate: Date(timeIntervalSince1970: 2_000_000_000), isSecure: true,
            isHTTPOnly: true)
        let foundation = try #require(cookie.httpCookie)
        #expect(foundation.domain == ".h.test" && foundation.isHTTPOnly)
        #expect(AdaptableCookie(foundation) == cookie)
    }

    /// Returns both notifications in the order in which they are posted while `act` runs.
    private func posted(by storage: AdaptableCookieStorage, _ act: () -> Void) -> [String] {
        let names = Mutex<[String]>([])
        let observers = [
            (Notification.Name.adaptableCookieStorageCookiesChanged, "cookies"),
            (.adaptableCookieStorageAcceptPolicyChanged, "policy"),
        ].map { name, word in
            NotificationCenter.default.addObserver(forName: name, object: storage, queue: nil) { notification in
                // The lock is not held: an observer may query the storage.
                let count = (notification.object as? AdaptableCookieStorage)?.cookies?.count ?? -1
                names.withLock { $0.append("\(word) \(count)") }
            }
        }
        act()
        observers.forEach { NotificationCenter.default.removeObserver($0) }
        return names.withLock { $0 }
    }

    @Test func `a change posts a notification and a call without effect posts none`() {
        let storage = AdaptableCookieStorage()
        #expect(posted(by: storage) { storage.setCookie(cookie("a")) } == ["cookies 1"])
        #expect(posted(by: storage) { storage.setCookie(cookie("a")) }.isEmpty)
        #expect(
            posted(by: storage) { storage.setCookie(AdaptableCookie(name: "a", value: "2", domain: "h.test")) } == [
                "cookies 1"
            ])
        #expect(
            posted(by: storage) { storage.setCookies([cookie("b"), cookie("c")], for: url, mainDocumentURL: nil) } == [
                "cookies 3"
            ])
        let foreign = AdaptableCookie(name: "d", value: "1", domain: "o.test")
        #expect(posted(by: storage) { storage.setCookies([foreign], for: url, mainDocumentURL: nil) }.isEmpty)
        #expect(posted(by: storage) { _ = storage.cookies(for: url) }.isEmpty)
        #expect(posted(by: storage) { storage.deleteCookie(cookie("c")) } == ["cookies 2"])
        #expect(posted(by: storage) { storage.deleteCookie(cookie("c")) }.isEmpty)
        let expired = AdaptableCookie(
            name: "b", value: "1", domain: "h.test", expiresDate: Date(timeIntervalSince1970: 0))
        #expect(posted(by: storage) { storage.setCookie(expired) } == ["cookies 1"])
        #expect(posted(by: storage) { storage.removeCookies(since: Date().addingTimeInterval(60)) }.isEmpty)
        #expect(posted(by: storage) { storage.removeCookies(since: Date().addingTimeInterval(-60)) } == ["cookies 0"])
        #expect(posted(by: storage) { storage.removeAllCookies() }.isEmpty)
        #expect(posted(by: storage) { storage.cookieAcceptPolicy = .never } == ["policy 0"])
        #expect(posted(by: storage) { storage.cookieAcceptPolicy = .never }.isEmpty)
        #expect(posted(by: storage) { storage.setCookie(cookie("a")) }.isEmpty)
        #expect(posted(by: AdaptableCookieStorage()) { storage.cookieAcceptPolicy = .always }.isEmpty)
    }
}
