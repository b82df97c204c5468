import AdapterProtocol
import GeneratedBodies
import HTTPFields
import ScenarioLanguage
import Testing

@testable import TestServer

/// Whole responses as values: status, the relevant fields and the source of the body.
struct ResponderTests {
    private let date = HTTPDate(seconds: 1_700_000_000)

    private func response(
        _ content: RouteContent, _ method: String = "GET", _ fields: [HeaderField] = [], request: Int = 1,
        version: Int = 1,
        target: String = "/big"
    ) -> ResponsePlan {
        var plan = OriginPlan()
        plan.routes = [Route(path: "/big", content: content), Route(host: "other.test", path: "/big", content: .echo)]
        var responder = Responder(plan: plan, seed: 1)
        let head = RequestHead(
            method: method, target: target, minorVersion: version, headers: [HeaderField("Host", "api.test")] + fields)
        return responder.response(
            to: head, pathRequest: request, body: BodyInspection(path: "/big", echoes: true), date: date)
    }

    private func resource(_ change: (inout Resource) -> Void = { _ in }) -> RouteContent {
        var resource = Resource(body: .pattern(ByteCount(1_000)!))
        resource.etag = "\"v1\""
        resource.lastModified = "Mon, 01 Jan 2024 00:00:00 GMT"
        change(&resource)
        return .resource(resource)
    }

    private func value(_ name: String, _ plan: ResponsePlan) -> String? {
        plan.headers.first { $0.name == name }?.value
    }

    private let key = PatternBody.key(path: "/big", version: 1)

    @Test func `a plain response has its length, validators and ranges`() {
        let plan = response(resource())
        #expect(plan.status == 200)
        #expect(plan.body == .pattern(key: key, from: 0, count: 1_000))
        #expect(value("Content-Length", plan) == "1000")
        #expect(value("ETag", plan) == "\"v1\"")
        #expect(value("Last-Modified", plan) == "Mon, 01 Jan 2024 00:00:00 GMT")
        #expect(value("Accept-Ranges", plan) == "bytes")
        #expect(value("Date", plan) == "Tue, 14 Nov 2023 22:13:20 GMT")
        #expect(!plan.closes)
    }

    @Test func `the response to a range is 206 with its position`() {
        let plan = response(resource(), "GET", [HeaderField("Range", "bytes=100-")])
        #expect(plan.status == 206)
        #expect(value("Content-Range", plan) == "bytes 100-999/1000")
        #expect(value("Content-Length", plan) == "900")
        #expect(plan.body == .pattern(key: key, from: 100, count: 900))
        #expect(value("Content-Type", plan) != nil)
    }

    @Test func `a 206 to If-Range omits the fields that the client has already`() {
        let plan = response(resource(), "GET", [HeaderField("Range", "bytes=100-"), HeaderField("If-Range", "\"v1\"")])
        #expect(plan.status == 206)
        #expect(value("ETag", plan) == "\"v1\"")
        #expect(value("Content-Type", plan) == nil)
        #expect(value("Last-Modified", plan) == nil)
    }

    @Test func `If-Range that does not match, HEAD and ranges false give the whole representation`() {
        let range = HeaderField("Range", "bytes=100-")
        #expect(response(resource(), "GET", [range, HeaderField("If-Range", "\"v2\"")]).status == 200)
        #expect(response(resource { $0.ranges = .unsupported }, "GET", [range]).status == 200)
        #expect(value("Accept-Ranges", response(resource { $0.ranges = .unsupported })) == "none")
        let head = response(resource(), "HEAD", [range])
        #expect(head.status == 200)
        #expect(head.body.count == 0)
        #expect(value("Content-Length", head) == "1000")
    }

    @Test func `the response to a range beyond the end is 416 with the length`() {
        let plan = response(resource(), "GET", [HeaderField("Range", "bytes=1000-")])
        #expect(plan.status == 416)
        #expect(value("Content-Range", plan) == "bytes */1000")
    }

    @Test func `from the n-th request on another version is served, and old validators are dropped`() {
        let content = resource { $0.replacedAt = .init(request: 2, etag: "\"v2\"") }
        #expect(value("ETag", response(content, request: 1)) == "\"v1\"")
        let next = response(
            content, "GET", [HeaderField("Range", "bytes=5-"), HeaderField("If-Range", "\"v1\"")], request: 2)
        #expect(next.status == 200)
        #expect(value("ETag", next) == "\"v2\"")
        #expect(value("Last-Modified", next) == nil)
        #expect(next.body == .pattern(key: PatternBody.key(path: "/big", version: 2), from: 0, count: 1_000))
    }

    @Test func `chunked omits the length, and HTTP 1.0 gets an end by close instead`() {
        let content = resource { $0.framing = .chunked }
        let plan = response(content)
        #expect(plan.framing == .chunked)
        #expect(value("Transfer-Encoding", plan) == "chunked")
        #expect(value("Content-Length", plan) == nil)
        let old = response(content, version: 0)
        #expect(old.framing == .untilClose)
        #expect(old.closes)
        #expect(value("Transfer-Encoding", old) == nil)
        #expect(value("Connection", old) == "close")
    }

    @Test func `a scenario's fields replace the server's own`() {
        let plan = response(resource { $0.headers = [HeaderField("content-length", "7"), HeaderField("X", "y")] })
        #expect(plan.headers.filter { $0.name.lowercased() == "content-length" }.map(\.value) == ["7"])
        #expect(value("X", plan) == "y")
        #expect(plan.body.count == 1_000)
    }

    @Test(arguments: [204, 304]) func `statuses without a body omit the length as well`(status: Int) {
        let plan = response(resource { $0.status = status })
        #expect(plan.body.count == 0)
        #expect(value("Content-Length", plan) == nil)
        #expect(!plan.closes)
    }

    @Test func `a matching If-None-Match gives 304`() {
        let plan = response(resource(), "GET", [HeaderField("If-None-Match", "\"v1\"")])
        #expect(plan.status == 304)
        #expect(value("ETag", plan) == "\"v1\"")
        #expect(plan.body.count == 0)
    }

    @Test func `a redirect names its target as given`() {
        let plan = response(.redirect(status: 307, to: "next?x=1"))
        #expect(plan.status == 307)
        #expect(value("Location", plan) == "next?x=1")
        #expect(value("Content-Length", plan) == "0")
    }

    @Test func `the response to an unknown path lists the known ones`() {
        let plan = response(resource(), target: "/bog")
        #expect(plan.status == 404)
        #expect(
            plan.body
                == .bytes(
                    Array("The origin does not have a route for /bog. Its routes: /big, //other.test/big.\n".utf8)))
    }

    @Test func `a route for the host comes before one for all`() {
        #expect(response(resource(), target: "http://OTHER.test/big").body != response(resource()).body)
    }

    @Test func `an echo repeats the request as received`() {
        let plan = response(.echo, "POST", [HeaderField("x-A", "b")])
        #expect(plan.body == .bytes(Array("POST /big\r\nHost: api.test\r\nx-A: b\r\n\r\n".utf8)))
    }

    @Test func `the client's Connection close is respected`() {
        let plan = response(resource(), "GET", [HeaderField("Connection", "foo, Close")])
        #expect(plan.closes)
        #expect(value("Connection", plan) == "close")
    }
}
