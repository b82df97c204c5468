import Foundation
import FoundationNetworking
import Testing

@testable import AdaptableSession

/// RFC 9111 §3 to §5 and URLRequest's cache policies, clause by clause.
struct CacheEvaluatorTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let url = URL(string: "http://h.test/a")!

    /// A result of the cache evaluator in a comparable form.
    private enum Received: Hashable {
        case load([String: String])
        case validate([String: String])
        case serve(age: String?)
        case fail(URLError.Code)
    }

    private func entry(_ fields: HeaderFields, age: Double = 0) -> AdaptableCachedURLResponse {
        let exchange = StoredExchange(
            url: Self.url, status: 200, fields: fields, requestTime: Self.now - age, responseTime: Self.now - age)
        return AdaptableCachedURLResponse(exchange, data: Data("stored".utf8))
    }

    private func plan(
        _ found: AdaptableCachedURLResponse?, _ sent: HeaderFields = [:],
        by cachePolicy: NSURLRequest.CachePolicy = .useProtocolCachePolicy,
        _ change: (inout CachePolicy) -> Void = { _ in }
    ) -> Received {
        var policy = CachePolicy()
        change(&policy)
        switch CacheEvaluator(policy: policy).plan(
            URLRequest(url: Self.url), sent: sent, found: found, by: cachePolicy, now: Self.now)
        {
        case .load(let fields): return .load(fields.dictionary)
        case .validate(let fields, _): return .validate(fields.dictionary)
        case .serve(_, let response):
            return .serve(age: (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Age"))
        case .fail(let code, _): return .fail(code)
        }
    }

    private static let fresh: HeaderFields = ["Cache-Control": "max-age=60", "ETag": "\"v1\""]
    private static let tag = ["If-None-Match": "\"v1\""]

    /// The times of an entry on disk are whatever the file contains.
    @Test(
        arguments: [.infinity, -.infinity, .nan, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 1e19] as [Double])
    func `an entry with an impossible time is served with an Age that fits a number`(_ seconds: Double) {
        let time = Date(timeIntervalSince1970: seconds)
        for (request, response) in [(time, time), (time, Self.now), (Self.now, time)] {
            let exchange = StoredExchange(
                url: Self.url, status: 200, fields: Self.fresh, requestTime: request, responseTime: response)
            let entry = AdaptableCachedURLResponse(exchange, data: Data())
            guard case .serve(let age?) = plan(entry, by: .returnCacheDataElseLoad) else {
                Issue.record("not served")
                continue
            }
            #expect((0...2_147_483_648).contains(Int(age) ?? -1), "\(age)")
            _ = plan(entry)
        }
    }

    @Test func `a fresh entry is served with its Age and a stale entry is revalidated`() {
        #expect(plan(nil) == .load([:]))
        #expect(plan(entry(Self.fresh, age: 59)) == .serve(age: "59"))
        #expect(plan(entry(Self.fresh, age: 60)) == .validate(Self.tag))
        #expect(plan(entry(["Cache-Control": "max-age=1"], age: 2)) == .load([:]))
        let both: HeaderFields = [
            "ETag": "\"v1\"", "Last-Modified": "Wed, 01 Jan 2020 00:00:00 GMT", "Cache-Control": "no-cache",
        ]
        #expect(
            plan(entry(both))
                == .validate(Self.tag.merging(["If-Modified-Since": "Wed, 01 Jan 2020 00:00:00 GMT"]) { $1 }))
    }

    @Test func `no-cache requires revalidation, and no-cache with field names concerns those fields only`() {
        #expect(plan(entry(["Cache-Control": "max-age=60, no-cache", "ETag": "\"v1\""])) == .validate(Self.tag))
        #expect(
            plan(entry(["Cache-Control": "max-age=60, no-cache=\"Set-Cookie\"", "ETag": "\"v1\""])) == .serve(age: "0"))
        #expect(plan(entry(Self.fresh), ["Cache-Control": "no-cache"]) == .validate(Self.tag))
        #expect(plan(entry(Self.fresh), ["Pragma": "no-cache"]) == .validate(Self.tag))
        #expect(
            plan(entry(Self.fresh), ["Cache-Control": "no-cache"]) { $0.honoursNoCache = false } == .serve(age: "0"))
    }

    @Test func `request directives shorten and extend the lifetime`() {
        #expect(plan(entry(Self.fresh, age: 30), ["Cache-Control": "max-age=20"]) == .validate(Self.tag))
        #expect(plan(entry(Self.fresh, age: 30), ["Cache-Control": "min-fresh=30"]) == .validate(Self.tag))
        #expect(plan(entry(Self.fresh, age: 30), ["Cache-Control": "min-fresh=29"]) == .serve(age: "30"))
        #expect(plan(entry(Self.fresh, age: 70), ["Cache-Control": "max-stale=10"]) == .serve(age: "70"))
        #expect(plan(entry(Self.fresh, age: 71), ["Cache-Control": "max-stale=10"]) == .validate(Self.tag))
        #expect(plan(entry(Self.fresh, age: 9_999), ["Cache-Control": "max-stale"]) == .serve(age: "9999"))
        #expect(
            plan(
                entry(["Cache-Control": "max-age=1, must-revalidate", "ETag": "\"v1\""], age: 2),
                ["Cache-Control": "max-stale"]) == .validate(Self.tag))
        #expect(plan(nil, ["Cache-Control": "only-if-cached"]) == .fail(.resourceUnavailable))
        #expect(plan(entry(Self.fresh, age: 60), ["Cache-Control": "only-if-cached"]) == .fail(.resourceUnavailable))
    }

    @Test func `stale-while-revalidate does not prevent the revalidation`() {
        let fields: HeaderFields = ["Cache-Control": "max-age=60, stale-while-revalidate=10", "ETag": "\"v1\""]
        #expect(plan(entry(fields, age: 70)) == .validate(Self.tag))
    }

    @Test func `the cache policies of URLRequest override those of HTTP`() {
        let stale = entry(Self.fresh, age: 600)
        #expect(plan(entry(Self.fresh), by: .reloadIgnoringLocalCacheData) == .load([:]))
        #expect(
            plan(entry(Self.fresh), by: .reloadIgnoringLocalAndRemoteCacheData)
                == .load(["Cache-Control": "no-cache", "Pragma": "no-cache"]))
        #expect(plan(stale, by: .returnCacheDataElseLoad) == .serve(age: "600"))
        #expect(plan(nil, by: .returnCacheDataElseLoad) == .load([:]))
        #expect(plan(stale, by: .returnCacheDataDontLoad) == .serve(age: "600"))
        #expect(plan(nil, by: .returnCacheDataDontLoad) == .fail(.resourceUnavailable))
        #expect(plan(entry(Self.fresh), by: .reloadRevalidatingCacheData) == .validate(Self.tag))
        var request = URLRequest(url: Self.url)
        #expect(CacheEvaluator.effective(request, session: .returnCacheDataElseLoad) == .returnCacheDataElseLoad)
        request.cachePolicy = .reloadIgnoringLocalCacheData
        #expect(CacheEvaluator.effective(request, session: .returnCacheDataElseLoad) == .reloadIgnoringLocalCacheData)
    }

    @Test func `only a plain GET is looked up in the cache`() {
        var request = URLRequest(url: Self.url)
        #expect(CacheEvaluator().looksUp(request))
        for name in ["If-None-Match", "If-Modified-Since", "Range"] {
            var conditional = request
            conditional.setValue("x", forHTTPHeaderField: name)
            #expect(!CacheEvaluator().looksUp(conditional))
        }
        request.httpMethod = "POST"
        #expect(!CacheEvaluator().looksUp(request))
    }

    private func stores(
        _ fields: HeaderFields, status: Int = 200, method: String = "GET", sent: HeaderFields = [:],
        range: Bool = false,
        _ change: (inout CachePolicy) -> Void = { _ in }
    ) -> Bool {
        var policy = CachePolicy()
        change(&policy)
        var request = URLRequest(url: Self.url)
        request.httpMethod = method
        if range { request.setValue("bytes=0-", forHTTPHeaderField: "Range") }
        let exchange = StoredExchange(
            url: Self.url, status: status, fields: fields, requestTime: Self.now, responseTime: Self.now)
        return CacheEvaluator(policy: policy).storing(request, sent: sent, exchange: exchange, data: Data()) != nil
    }

    @Test func `only cacheable responses are stored`() {
        #expect(stores(Self.fresh))
        #expect(stores(["ETag": "x"]))
        #expect(stores(["Cache-Control": "private, max-age=1"]))
        #expect(stores(["Cache-Control": "max-age=1", "Vary": "Accept"]))
        #expect(stores(Self.fresh, sent: ["Authorization": "x"]))
        #expect(!stores([:]))
        #expect(!stores(Self.fresh, status: 206))
        #expect(!stores(Self.fresh, status: 302))
        #expect(!stores(Self.fresh, status: 500))
        #expect(!stores(Self.fresh, method: "POST"))
        #expect(!stores(Self.fresh, range: true))
        #expect(!stores(["Cache-Control": "no-store, max-age=60"]))
        #expect(stores(["Cache-Control": "no-store, max-age=60"]) { $0.honoursNoStore = false })
        #expect(!stores(Self.fresh, sent: ["Cache-Control": "no-store"]))
        #expect(!stores(["Cache-Control": "max-age=1", "Vary": "Accept, *"]))
    }

    @Test func `a stored response matches requests that agree in the fields of Vary`() {
        var request = URLRequest(url: Self.url)
        request.setValue("de", forHTTPHeaderField: "Accept-Language")
        let exchange = StoredExchange(
            url: Self.url, status: 200,
            fields: ["Cache-Control": "max-age=60", "Vary": "accept-language, Cookie", "vary": "X"],
            requestTime: Self.now, responseTime: Self.now)
        let sent: HeaderFields = ["Accept-Language": "de", "Cookie": "s=1"]
        guard let stored = CacheEvaluator().storing(request, sent: sent, exchange: exchange, data: Data()),
            let kept = stored.exchange
        else {
            Issue.record("not stored")
            return
        }
        #expect(plan(stored, sent) == .serve(age: "0"))
        for other: HeaderFields in [
            ["Accept-Language": "en", "Cookie": "s=1"], ["Cookie": "s=1"], ["Accept-Language": "de"],
            ["Accept-Language": "de", "Cookie": "s=2"],
            ["Accept-Language": "de", "Cookie": "s=1", "X": "1"],
        ] {
            #expect(plan(stored, other) == .load([:]))
            #expect(plan(stored, other) { $0.honoursVary = false } == .serve(age: "0"))
        }
        // The application's own request does not contain the cookie and is found nevertheless.
        #expect(kept.matches(["Accept-Language": "de"], isComplete: false))
        #expect(!kept.matches(["Accept-Language": "en"], isComplete: false))
        #expect(!kept.matches(["Accept-Language": "de", "Cookie": "s=2"], isComplete: false))
    }

    @Test func `a 304 updates the fields and keeps the body`() throws {
        let old = entry(
            ["Cache-Control": "max-age=1", "ETag": "\"v1\"", "Content-Length": "6", "Age": "50", "X": "old"], age: 100)
        let fields: HeaderFields = [
            "ETag": "W/\"v1\"", "Cache-Control": "max-age=60", "X": "new", "Content-Length": "0", "Connection": "close",
        ]
        guard
            case .serve(let new) = CacheEvaluator().validated(
                old, by: fields, requestTime: Self.now, responseTime: Self.now)
        else {
            Issue.record("not served")
            return
        }
        let exchange = try #require(new.exchange)
        #expect(new.data == old.data && exchange.status == 200)
        #expect(
            exchange.fields["X"] == "new" && exchange.fields["Content-Length"] == "6"
                && !exchange.fields.has("Connection"))
        #expect(!exchange.fields.has("Age"))
        #expect(plan(new) == .serve(age: "0"))
        #expect((new.response as? HTTPURLResponse)?.statusCode == 200)
        var policy = CachePolicy()
        policy.updatesOn304 = false
        guard
            case .serve(let same) = CacheEvaluator(policy: policy).validated(
                old, by: fields, requestTime: Self.now, responseTime: Self.now)
        else {
            Issue.record("not served")
            return
        }
        #expect(same.exchange?.fields["X"] == "old")
    }

    @Test func `a 304 for another representation repeats the request`() {
        guard
            case .revalidate = CacheEvaluator().validated(
                entry(Self.fresh), by: ["ETag": "\"v2\""], requestTime: Self.now, responseTime: Self.now)
        else {
            Issue.record("another representation was taken for the stored one")
            return
        }
    }

    @Test func `an unsafe method invalidates its URL and same-origin URLs that the response names`() {
        func invalidated(
            _ method: String, _ status: Int, _ fields: HeaderFields = [:], _ policy: CachePolicy = CachePolicy()
        ) -> [String] {
            CacheEvaluator(policy: policy).invalidated(method: method, url: Self.url, status: status, fields: fields)
                .map(\.absoluteString)
        }
        #expect(invalidated("POST", 200) == ["http://h.test/a"])
        #expect(
            invalidated("POST", 303, ["Location": "/b", "Content-Location": "http://o.test/c"]) == [
                "http://h.test/a", "http://h.test/b",
            ])
        #expect(invalidated("DELETE", 500) == [])
        #expect(invalidated("GET", 200) == [])
        var policy = CachePolicy()
        policy.invalidatesAfterUnsafe = false
        #expect(invalidated("POST", 200, [:], policy) == [])
    }

    @Test func `each of the other policies changes the behaviour that it describes`() {
        #expect(plan(entry(Self.fresh, age: 600)) { $0.servesStale = true } == .serve(age: "600"))
        #expect(plan(entry(Self.fresh, age: 600)) { $0.validatesByTag = false } == .load([:]))
        let dated: HeaderFields = ["Cache-Control": "no-cache", "Last-Modified": "Wed, 01 Jan 2020 00:00:00 GMT"]
        #expect(plan(entry(dated)) { $0.validatesByDate = false } == .load([:]))
        #expect(
            !stores(["Cache-Control": "max-age=0", "Last-Modified": "Wed, 01 Jan 2020 00:00:00 GMT"]) {
                $0.validatesByDate = false
            })
    }

    @Test func `the delegate's entry keeps the stored exchange, and notAllowed stores nothing`() {
        let proposed = entry(Self.fresh)
        let given = AdaptableCachedURLResponse(
            response: proposed.response, data: Data("other".utf8), userInfo: ["a": 1])
        let stored = CacheEvaluator().storing(given, inPlaceOf: proposed)
        #expect(
            stored?.exchange == proposed.exchange && stored?.data == Data("other".utf8)
                && stored?.userInfo?["a"] as? Int == 1)
        let refused = AdaptableCachedURLResponse(response: proposed.response, data: Data(), storagePolicy: .notAllowed)
        #expect(CacheEvaluator().storing(refused, inPlaceOf: proposed) == nil)
    }
}
