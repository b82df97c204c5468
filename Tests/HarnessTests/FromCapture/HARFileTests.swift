import LinkEmulator
import Testing

@testable import Harness

/// Entries in the shapes of different exporters: each leaves out, adds and counts other fields.
@Suite struct HARFileTests {
    private func traffic(_ entries: String..., keepsBodies: Bool = false) throws -> CapturedTraffic {
        let text = #"{"log": {"version": "1.2", "entries": [\#(entries.joined(separator: ","))]}}"#
        return try CaptureFile.traffic(Array(text.utf8), keepsBodies: keepsBodies)
    }

    private func refusal(_ text: String) -> CaptureError? {
        do throws(CaptureError) {
            _ = try CaptureFile.traffic(Array(text.utf8))
            return nil
        } catch {
            return error
        }
    }

    /// Chrome: `connect` contains `ssl`, `bodySize` is -1 or 0, and the transferred bytes have the head.
    private static let chrome = """
        {"startedDateTime": "2026-08-01T12:00:00.250Z", "time": 360.5, "_priority": "High", "serverIPAddress": "192.0.2.1",
         "request": {"method": "GET", "url": "https://api.example/v1/list?page=2", "httpVersion": "h2", "headersSize": -1,
          "bodySize": 0, "headers": [{"name": "cookie", "value": "sid=top-secret"}], "cookies": []},
         "response": {"status": 200, "httpVersion": "h2", "headersSize": -1, "bodySize": -1, "_transferSize": 100500,
          "redirectURL": "", "content": {"size": 400000, "mimeType": "application/json; charset=UTF-8; x=y"}},
         "timings": {"blocked": 0.5, "dns": -1, "connect": 80, "ssl": 50, "send": 0, "wait": 80, "receive": 200}}
        """

    @Test func `an entry of Chrome`() throws {
        let traffic = try traffic(Self.chrome)
        let exchange = try #require(traffic.exchanges.first)
        #expect(exchange.url.text == "https://api.example/v1/list?page=2")
        #expect(exchange.method == "GET" && exchange.status == 200 && exchange.usesHTTP2)
        #expect(exchange.contentType == "application/json; charset=utf-8")
        #expect(exchange.responseBytes == 100_500)
        #expect(exchange.requestBytes == 0)
        // TCP's part of `connect` is 80 - 50 ms.
        #expect(traffic.roundTrips == [30_000_000])
        #expect(exchange.wait == 50_000_000)
        #expect(exchange.start == 0 && exchange.end == 360_500_000)
        #expect(traffic.duration == 360_500_000)
        let downlink = traffic.transfers.filter { $0.direction == .downlink }
        #expect(downlink.map { $0.pieces.first?.time } == [160_500_000])
        #expect(downlink.map { $0.pieces.last?.time } == [360_500_000])
        #expect(!"\(traffic)".contains("top-secret"))
    }

    /// Firefox: `ssl` is beside `connect`, sizes are those on the wire, and the time zone is local.
    private static let firefox = """
        {"startedDateTime": "2026-08-01T14:00:01.000+02:00", "time": 230,
         "request": {"bodySize": 4000, "method": "POST", "url": "http://api.example/form", "httpVersion": "HTTP/1.1",
          "postData": {"mimeType": "text/plain", "text": "secret=1"}},
         "response": {"status": 302, "bodySize": 12, "content": {"mimeType": "text/html", "size": 12, "text": "moved"},
          "redirectURL": "/done?x=1"},
         "timings": {"blocked": 0, "dns": 10, "connect": 40, "ssl": 60, "send": 0, "wait": 100, "receive": 20}}
        """

    @Test func `an entry of Firefox`() throws {
        let traffic = try traffic(Self.firefox, Self.chrome)
        #expect(traffic.roundTrips == [30_000_000, 40_000_000])
        let exchange = try #require(traffic.exchanges.last)
        #expect(exchange.start == 750_000_000 && exchange.wait == 60_000_000)
        #expect(exchange.requestBytes == 4000 && exchange.responseBytes == 12 && !exchange.usesHTTP2)
        #expect(exchange.redirect?.text == "http://api.example/done?x=1")
    }

    @Test func `a request on a reused connection waited for the usual round trip, too`() throws {
        let reused = """
            {"startedDateTime": "2026-08-01T12:00:02Z", "time": 90, "request": {"method": "GET", "url": "https://api.example/v1"},
             "response": {"status": 200}, "timings": {"connect": -1, "ssl": -1, "send": 0, "wait": 90, "receive": 0}}
            """
        #expect(try traffic(Self.chrome, reused).exchanges.map(\.wait) == [50_000_000, 60_000_000])
    }

    @Test func `unknown times and absent contents count as nothing`() throws {
        let traffic = try traffic(
            """
            {"startedDateTime": "2026-08-01T12:00:00Z", "request": {"url": "http://a.example"},
             "response": {"status": 204}, "timings": {"connect": -1, "ssl": null, "send": -1, "wait": -1, "receive": -1}}
            """,
            #"{"startedDateTime": "2026-08-01T12:00:02Z", "request": {"url": "http://a.example/2"}, "response": {"status": 200}}"#
        )
        #expect(traffic.exchanges.map(\.url.path) == ["/", "/2"])
        #expect(traffic.exchanges.map(\.wait) == [0, 0] && traffic.exchanges.map(\.responseBytes) == [0, 0])
        #expect(traffic.roundTrips.isEmpty && traffic.transfers.isEmpty)
    }

    @Test func `what did not come from a server is counted and left out`() throws {
        func entry(_ url: String, _ status: Int, _ more: String = "") -> String {
            """
            {"startedDateTime": "2026-08-01T12:00:00Z", "request": {"method": "GET", "url": "\(url)"}, "response": {"status": \(status)}\(more)}
            """
        }
        let traffic = try traffic(
            Self.chrome, entry("data:text/plain,x", 200), entry("wss://a.example/s", 101),
            entry("https://a.example/s", 101),
            entry("https://a.example/blocked", 0), entry("https://a.example/c", 200, #", "_fromCache": "disk""#),
            #"{"request": {}}"#)
        #expect(traffic.exchanges.count == 1)
        #expect(
            traffic.omitted == [
                "without requests whose URL is not http or https": 2, "without connections of WebSockets": 1,
                "without requests that got no response": 1,
                "without requests that the browser served from its cache": 1,
                "without entries that lack a start or a URL": 1,
            ])
    }

    @Test func `bodies of text are copied only on request`() throws {
        func entry(_ content: String) -> String {
            """
            {"startedDateTime": "2026-08-01T12:00:00Z", "request": {"method": "GET", "url": "http://a.example/"},
             "response": {"status": 200, "content": {\(content)}}}
            """
        }
        let json = entry(#""size": 7, "mimeType": "application/json", "text": "{\"a\":1}""#)
        #expect(try traffic(json).exchanges.map(\.text) == [nil])
        #expect(try traffic(json, keepsBodies: true).exchanges.map(\.text) == [#"{"a":1}"#])
        for other in [
            #""size": 3, "mimeType": "application/json", "encoding": "base64", "text": "YWJj""#,
            #""size": 3, "mimeType": "image/png", "text": "abc""#,
            #""size": 5000, "mimeType": "text/plain", "text": "\#(String(repeating: "a", count: 5000))""#,
        ] {
            #expect(try traffic(entry(other), keepsBodies: true).exchanges.map(\.text) == [nil])
        }
    }

    /// The shape that the export of Chromium 156 has for a response whose connection was closed before its announced end,
    /// and for one that a script did not read.
    @Test func `a body that the network broke off has its announced length`() throws {
        func broken(_ error: String, bytes: Int = 30_000) throws -> Int64? {
            let entry = """
                {"startedDateTime": "2026-11-23T13:52:22.672Z", "time": 279.3, "_resourceType": "fetch",
                 "request": {"method": "GET", "url": "https://api.example/cut", "httpVersion": "HTTP/1.1", "headers": [],
                  "headersSize": 495, "bodySize": 0},
                 "response": {"status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1", "headersSize": 156,
                  "headers": [{"name": "Content-Length", "value": "100000"}, {"name": "Content-Type", "value": "text/plain"}],
                  "content": {"size": \(bytes), "mimeType": "text/plain", "compression": 0}, "redirectURL": "",
                  "bodySize": \(bytes), "_transferSize": \(bytes + 156), "_error": \(error), "_fetchedViaServiceWorker": false},
                 "timings": {"blocked": 1.2, "dns": -1, "ssl": -1, "connect": -1, "send": 0.3, "wait": 74.6, "receive": 203.2}}
                """
            let exchange = try #require(try traffic(entry).exchanges.first)
            #expect(exchange.responseBytes == bytes)
            return exchange.announcedBytes
        }
        #expect(try broken(#""net::ERR_CONTENT_LENGTH_MISMATCH""#) == 100_000)
        #expect(try broken(#""net::ERR_NETWORK_CHANGED""#) == 100_000)
        #expect(try broken(#""net::ERR_CONTENT_LENGTH_MISMATCH""#, bytes: 100_000) == nil)
        #expect(try broken(#""net::ERR_ABORTED""#) == nil)
        #expect(try broken(#""net::ERR_BLOCKED_BY_ORB""#) == nil)
        #expect(try broken("null") == nil)
    }

    @Test func `files of other kinds are refused`() {
        #expect(refusal(#"{"log": {"entries": ["#) == .json)
        #expect(refusal(#"{"log": {"pages": []}}"#) == .notHAR)
        #expect(refusal("[1]") == .notHAR)
        #expect(refusal("GET / HTTP/1.1") == .unknownKind)
        #expect(refusal("") == .unknownKind)
        #expect(refusal("\u{1F}\u{8B}") == .unknownKind)  // as UTF-8, not gzip's bytes
        #expect(throws: CaptureError.compressed) { try CaptureFile.traffic([0x1F, 0x8B, 8, 0]) }
        if case .noRequests = refusal(#"{"log": {"entries": []}}"#) {} else { Issue.record("no entries are accepted") }
    }

    @Test func `a byte order mark is skipped`() throws {
        let text = "\u{FEFF}{\"log\": {\"entries\": [\(Self.chrome)]}}"
        #expect(try CaptureFile.traffic(Array(text.utf8)).exchanges.count == 1)
    }
}
