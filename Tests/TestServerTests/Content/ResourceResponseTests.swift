import AdapterProtocol
import HTTPFields
import Testing

@testable import TestServer

/// Ranges, conditions and lifetimes of a resource of ten text bytes as whole responses: every deviation differs from
/// the correct response in exactly the part that its name states.
struct ResourceResponseTests {
    private static let date = HTTPDate(seconds: 1_700_000_000)

    private func response(_ route: String, _ fields: [String: String] = [:], method: String = "GET", request: Int = 1)
        throws -> ResponsePlan
    {
        var responder = Responder(plan: try WrittenOrigin.plan("/a: { \(route) }"), seed: 1)
        let headers = [HeaderField("Host", "api.test")] + fields.map { HeaderField($0.key, $0.value) }
        let head = RequestHead(method: method, target: "/a", headers: headers)
        return responder.response(
            to: head, pathRequest: request, body: BodyInspection(path: "/a", echoes: false), date: Self.date)
    }

    private func value(_ name: String, _ plan: ResponsePlan) -> String? {
        plan.headers.first { $0.name == name }?.value
    }

    private func text(_ plan: ResponsePlan) -> String { String(decoding: plan.body.allBytes, as: UTF8.self) }

    private let ten = "text: '0123456789', etag: '\"v1\"', lastModified: 'Mon, 01 Jan 2024 00:00:00 GMT'"

    @Test func `several parts come as a multipart in the requested order`() throws {
        let plan = try response(ten, ["Range": "bytes=7-8,0-1, -1"])
        #expect(plan.status == 206)
        #expect(value("Content-Type", plan) == "multipart/byteranges; boundary=crosswind-part")
        #expect(value("Content-Range", plan) == nil)
        func part(_ place: String, _ bytes: String) -> String {
            "--crosswind-part\r\nContent-Type: text/plain\r\nContent-Range: bytes \(place)/10\r\n\r\n\(bytes)\r\n"
        }
        #expect(text(plan) == part("7-8", "78") + part("0-1", "01") + part("9-9", "9") + "--crosswind-part--\r\n")
        #expect(value("Content-Length", plan) == "\(plan.body.count)")
    }

    @Test func `a multipart of one part is a deviation of its own`() throws {
        let plan = try response(ten + ", ranges: { response: multipart }", ["Range": "bytes=4-"])
        #expect(plan.status == 206 && text(plan).contains("Content-Range: bytes 4-9/10\r\n\r\n456789\r\n"))
    }

    @Test(arguments: [
        ("start: 0", "bytes 0-9/10", "0123456789"), ("shift: 2", "bytes 6-9/10", "6789"),
        ("shift: -3", "bytes 1-9/10", "123456789"),
        ("shift: 100", "bytes 9-9/10", "9"), ("short: 4", "bytes 4-5/10", "45"),
        ("contentRange: unknownLength", "bytes 4-9/*", "456789"),
        ("contentRange: 'bytes 0-5/6'", "bytes 0-5/6", "456789"), ("contentRange: absent", nil, "456789"),
    ])
    func `the position of a part can be wrong`(ranges: String, place: String?, bytes: String) throws {
        let plan = try response(ten + ", ranges: { \(ranges) }", ["Range": "bytes=4-"])
        #expect(plan.status == 206)
        #expect(value("Content-Range", plan) == place)
        #expect(text(plan) == bytes)
        #expect(value("Content-Length", plan) == "\(bytes.count)")
    }

    @Test func `the validators of a part can be different`() throws {
        let resume = ["Range": "bytes=4-", "If-Range": "\"v1\""]
        let other = try response(ten + ", ranges: { etag: '\"v2\"', lastModified: never }", resume)
        #expect(value("ETag", other) == "\"v2\"" && value("Last-Modified", other) == "never")
        let weak = try response(ten + ", ranges: { etag: 'W/\"v1\"' }", resume)
        #expect(value("ETag", weak) == "W/\"v1\"")
        #expect(value("ETag", try response(ten + ", ranges: { etag: absent }", resume)) == nil)
    }

    @Test func `If-Range can be ignored or never match`() throws {
        let right = ["Range": "bytes=4-", "If-Range": "\"v1\""]
        let wrong = ["Range": "bytes=4-", "If-Range": "\"v0\""]
        #expect(try response(ten, wrong).status == 200)
        #expect(try response(ten + ", ranges: { ifRange: ignored }", wrong).status == 206)
        #expect(try response(ten + ", ranges: { ifRange: never }", right).status == 200)
        #expect(try response(ten + ", ranges: { ifRange: never }", ["Range": "bytes=4-"]).status == 206)
        // A date counts only if its text is identical, and a weak tag never does.
        #expect(try response(ten, ["Range": "bytes=4-", "If-Range": "Mon, 01 Jan 2024 00:00:00 GMT"]).status == 200)
        let old = ten.replacing("2024", with: "2020").replacing("Mon, 01 Jan", with: "Wed, 01 Jan")
        #expect(try response(old, ["Range": "bytes=4-", "If-Range": "Wed, 01 Jan 2020 00:00:00 GMT"]).status == 206)
        #expect(
            try response("text: '0123456789', etag: 'W/\"v1\"'", ["Range": "bytes=4-", "If-Range": "W/\"v1\""]).status
                == 200)
    }

    @Test func `a 416 has its length, another one, or none`() throws {
        let beyond = ["Range": "bytes=10-"]
        #expect(value("Content-Range", try response(ten, beyond)) == "bytes */10")
        #expect(
            value("Content-Range", try response(ten + ", ranges: { unsatisfied: 'bytes */3' }", beyond)) == "bytes */3")
        let none = try response(
            ten + ", ranges: { response: unsatisfiable, unsatisfied: absent }", ["Range": "bytes=0-"])
        #expect(none.status == 416 && value("Content-Range", none) == nil)
    }

    @Test func `Accept-Ranges can be missing, and ranges can be ignored though it is present`() throws {
        #expect(value("Accept-Ranges", try response(ten + ", ranges: { advertise: absent }")) == nil)
        let lying = try response(ten + ", ranges: { response: whole }", ["Range": "bytes=4-"])
        #expect(lying.status == 200 && value("Accept-Ranges", lying) == "bytes" && text(lying) == "0123456789")
    }

    @Test func `a 304 repeats the caching fields of the 200 or sends those of the plan`() throws {
        let cached = ten + ", headers: { Cache-Control: max-age=5, X-Other: a }, expiresIn: 10s"
        let plan = try response(cached, ["If-None-Match": "\"v1\""])
        #expect(plan.status == 304)
        #expect(value("Cache-Control", plan) == "max-age=5")
        #expect(value("Expires", plan) == "Tue, 14 Nov 2023 22:13:30 GMT")
        #expect(value("X-Other", plan) == nil)
        let changed = try response(
            cached + ", validation: { headers: { Cache-Control: no-store, X-New: b } }", ["If-None-Match": "\"v1\""])
        #expect(
            changed.headers.filter { $0.name == "Cache-Control" }.map(\.value) == ["no-store"]
                && value("X-New", changed) == "b")
    }

    @Test func `conditions can be ignored or always match`() throws {
        #expect(try response(ten + ", validation: { response: ignored }", ["If-None-Match": "\"v1\""]).status == 200)
        #expect(
            try response(ten + ", validation: { response: alwaysMatches }", ["If-None-Match": "\"v0\""]).status == 304)
        #expect(try response(ten + ", validation: { response: alwaysMatches }").status == 200)
    }

    @Test func `a date relative to the first response stays fixed`() throws {
        var responder = Responder(plan: try WrittenOrigin.plan("/a: { text: hi, modifiedAgo: 10d }"), seed: 1)
        let head = RequestHead(method: "GET", target: "/a", headers: [HeaderField("Host", "api.test")])
        let dates = [0, 3_600].map { later in
            value(
                "Last-Modified",
                responder.response(
                    to: head, pathRequest: 1, body: BodyInspection(path: "/a", echoes: false),
                    date: HTTPDate(seconds: 1_700_000_000 + later)))
        }
        #expect(dates == ["Sat, 04 Nov 2023 22:13:20 GMT", "Sat, 04 Nov 2023 22:13:20 GMT"])
    }

    @Test func `a response only for ranges breaks a client that resumes`() throws {
        let plan =
            ten
            + ", variants: [{ when: { headers: { Range: present } }, redirect: 'http://other.test/b', status: 307, headers: { X-A: b }, text: moved }]"
        #expect(try response(plan).status == 200)
        let moved = try response(plan, ["Range": "bytes=4-"])
        #expect(
            moved.status == 307 && value("Location", moved) == "http://other.test/b" && value("X-A", moved) == "b"
                && text(moved) == "moved")
    }

    @Test func `ranges count the bytes of the coding`() throws {
        let plan = try response(
            "text: hello, encoding: zstd, etag: '\"v1\"'", ["Range": "bytes=9-", "Accept-Encoding": "zstd"])
        #expect(plan.status == 206 && text(plan) == "hello" && value("Content-Range", plan) == "bytes 9-13/14")
        #expect(value("ETag", plan) == "\"v1-zstd\"")
    }
}
