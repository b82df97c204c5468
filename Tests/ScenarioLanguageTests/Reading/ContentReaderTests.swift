@testable import Conformance
import AdapterProtocol
import Testing

@testable import ScenarioLanguage

/// Tests of the content options of a route, and of errors for meaningless combinations.
struct ContentReaderTests {
    private func read(_ route: String) -> Result<Scenario, ScenarioErrors> {
        ScenarioReader.read(file: "x", text: Sample.good(replacing: "/a: { text: hi }", with: "/a: { \(route) }"))
    }

    private func route(_ text: String) throws -> Route { try read(text).get().origin.routes[0] }

    private func resource(_ text: String) throws -> Resource {
        guard case .resource(let resource) = try route(text).content else {
            return Resource(body: .text("no resource"))
        }
        return resource
    }

    private func diagnostic(_ route: String) -> String {
        switch read(route) {
        case .success: return "none"
        case .failure(let errors): return errors.errors.map { "\($0)" }.joined(separator: "\n")
        }
    }

    @Test func `ranges can be supported, unsupported or given with options`() throws {
        #expect(try resource("text: hi").ranges == RangePlan())
        #expect(try resource("text: hi, ranges: false").ranges == .unsupported)
        var plan = RangePlan()
        plan.response = .multipart
        plan.advertisement = .absent
        plan.ifRange = .ignored
        plan.shift = -5
        plan.short = ByteCount(3)!
        plan.contentRange = .unknownLength
        plan.etag = .text("\"v2\"")
        plan.lastModified = .absent
        plan.unsatisfiedRange = .absent
        #expect(
            try resource(
                "text: hi, ranges: { response: multipart, advertise: absent, ifRange: ignored, shift: -5, short: 3B, contentRange: unknownLength, etag: '\"v2\"', lastModified: absent, unsatisfied: absent }"
            ).ranges == plan)
        #expect(
            try resource("text: hi, ranges: { start: 0, contentRange: 'bytes 0-1/2' }").ranges.contentRange
                == .text("bytes 0-1/2"))
    }

    @Test func `a redirect can have headers, a body, hops and any Location`() throws {
        var redirect = Redirect(status: 307, to: "/b")
        redirect.headers = [HeaderField("X-A", "b")]
        redirect.body = "moved"
        redirect.hops = 4
        #expect(
            try route("redirect: /b, status: 307, headers: { X-A: b }, text: moved, hops: 4").content
                == .redirect(redirect))
        #expect(try route("location: 'http://[', status: 201").content == .redirect(status: 201, to: "http://["))
    }

    @Test func `each variant has a condition and a response`() throws {
        let variants = try route(
            "text: hi, variants: [{ when: { request: 2, method: POST, query: a=1, headers: { Range: present, X: y }, withoutCookie: s }, text: no, status: 503 }, { when: { fromRequest: 3, cookie: s=1 }, echo: true }]"
        ).variants
        var first = RequestMatcher()
        first.request = 2
        first.method = "POST"
        first.query = "a=1"
        first.headers = ["range": .present, "x": .value("y")]
        first.lacksCookie = "s"
        var second = RequestMatcher()
        second.firstRequest = 3
        second.cookie = "s=1"
        #expect(variants.map(\.condition) == [first, second])
        #expect(variants.last?.content == .echo)
    }

    @Test func `an encoding is a word or an object with faults`() throws {
        #expect(try resource("text: hi, encoding: br").encoding == EncodingPlan([.br]))
        var plan = EncodingPlan([.gzip, .deflate])
        plan.isNegotiated = false
        plan.label = ""
        plan.cut = ByteCount(2)!
        plan.flippedAt = ByteCount(7)!
        plan.hasWrongChecksum = true
        plan.surplus = "x"
        #expect(
            try resource(
                "text: hi, encoding: { coding: [gzip, deflate], always: true, contentEncoding: absent, truncateBy: 2B, corruptByteAt: 7B, checksum: false, trailingBytes: x }"
            ).encoding == plan)
        #expect(try resource("encoding: { coding: zstd, zipBomb: 1GiB }").encoding?.bomb == ByteCount(1 << 30))
    }

    @Test func `a pattern with a size may repeat its lines`() throws {
        #expect(try resource("size: 1KiB").repeats == 1)
        #expect(try resource("size: 1KiB, repeats: 500").repeats == 500)
    }

    @Test func `cookies are texts or objects`() throws {
        var made = CookiePlan.Made(name: "n", value: "cccc")
        made.domain = "x.test"
        made.path = "/"
        made.expiredSince = .seconds(3_600)
        made.maxAge = -1
        made.isSecure = true
        made.isHTTPOnly = true
        made.sameSite = CookiePlan.Made.SameSite.none
        #expect(
            try route(
                "text: hi, cookies: ['a b;;', { name: n, size: 4B, domain: x.test, path: /, expiredSince: 1h, maxAge: -1, secure: true, httpOnly: true, sameSite: None }]"
            ).cookies == [.text("a b;;"), .made(made)])
        #expect(try route("text: hi, cookies: a=1").cookies == [.text("a=1")])
    }

    @Test func `a resource can have lifetimes and validation options`() throws {
        let resource = try resource(
            "text: hi, expiresIn: 10s, modifiedAgo: 2d, validation: { response: ignored, headers: { X-A: b } }")
        #expect(resource.expiresIn == .seconds(10) && resource.modifiedAgo == .seconds(172_800))
        #expect(resource.validation.response == .ignored && resource.validation.headers == [HeaderField("X-A", "b")])
    }

    @Test(arguments: [
        ("text: hi, hops: 2", "needs a `redirect`"), ("redirect: /b, etag: '\"v\"'", "no effect beside `redirect`"),
        ("redirect: /b, status: 201", "`location` allows any status"), ("redirect: nowhere", "neither a path"),
        ("location: x, redirect: /b", "exclude each other"), ("echo: true, encoding: br", "no effect beside `echo`"),
        ("text: hi, ranges: { start: 0, shift: 1 }", "exclude each other"),
        ("text: hi, ranges: { response: whole, short: 1B }", "no effect beside `response: whole`"),
        ("text: hi, ranges: { unsatisfied: unknownLength }", "a 416 does not have a part"),
        ("text: hi, ranges: { response: prat }", "did you mean `part`?"),
        ("text: hi, encoding: { coding: br, checksum: false }", "only gzip and deflate"),
        ("text: hi, encoding: { coding: br, zipBomb: 1MiB }", "a zip bomb replaces the body"),
        ("text: hi, repeats: 2", "no effect beside `text`"), ("size: 1KiB, repeats: 0", "1"),
        ("encoding: { coding: br, zipBomb: 17GiB }", "16GiB"), ("size: 17MiB, encoding: br", "at most 16MiB"),
        ("text: hi, encoding: { coding: [] }", "at least one coding"),
        ("text: hi, variants: [{ when: {}, text: no }]", "holds for every request"),
        ("text: hi, variants: [{ text: no }]", "when"),
        ("text: hi, variants: [{ when: { request: 1, fromRequest: 2 }, text: no }]", "exclude each other"),
        ("text: hi, cookies: { name: 'a b' }", "not a cookie name"),
        ("text: hi, cookies: { name: a, value: 'b;c' }", "a semicolon"),
        ("text: hi, cookies: \"a=\\u0001\"", "control characters"),
        ("text: hi, cookies: { name: a, value: b, size: 3B }", "exclude each other"),
        ("text: hi, cookies: { name: a, expiresIn: 1s, expiredSince: 1s }", "exclude each other"),
        ("text: hi, modifiedAgo: 1h, lastModified: x", "no effect beside `modifiedAgo`"),
    ])
    func `a meaningless combination is refused`(route: String, message: String) {
        #expect(diagnostic(route).contains(message), "\(diagnostic(route))")
    }

    @Test func `the bytes of a variant are known and the judge follows redirects of variants`() throws {
        let origin = try read("size: 10, variants: [{ when: { request: 2 }, size: 20, version: 7 }]").get().origin
        #expect(origin.representation("/a", version: 7)?.length == 20)
        // The replacement has other bytes than the version before it.
        let replaced = try read("size: 10, version: 2, replacedBy: { fromRequest: 2, size: 20 }").get().origin
        #expect(replaced.representation("/a", version: 2)?.length == 10)
        #expect(replaced.representation("/a", version: 3)?.length == 20)
        let scenario = try read("text: hi, variants: [{ when: { request: 1 }, redirect: 'http://far.test/b' }]").get()
        #expect(scenario.network.dns.rules.contains { $0.host == "far.test" })
    }
}
