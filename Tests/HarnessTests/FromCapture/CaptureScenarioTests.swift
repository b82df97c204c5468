import AdapterProtocol
import Conformance
import Foundation
import LinkEmulator
import ScenarioLanguage
import Testing

@testable import Harness

/// Exchanges go in, and a file comes out, which the ordinary reader reads.
@Suite struct CaptureScenarioTests {
    private func exchange(
        _ url: String, _ start: Int64 = 0, end: Int64? = nil, method: String = "GET", status: Int = 200,
        bytes: Int64 = 10
    ) throws -> CapturedExchange {
        var exchange = CapturedExchange(
            url: try #require(CapturedURL(url)), method: method, start: start, end: end ?? start + 1, status: status)
        exchange.responseBytes = bytes
        return exchange
    }

    private func text(_ exchanges: CapturedExchange..., change: (inout CapturedTraffic) -> Void = { _ in }) -> String {
        var traffic = CapturedTraffic()
        traffic.exchanges = exchanges
        change(&traffic)
        return CaptureScenario(traffic, source: "train.har").text(schema: "scenario.schema.json")
    }

    private func read(_ text: String) throws -> Scenario {
        switch ScenarioReader.read(file: "capture/scenario.yaml", text: text) {
        case .success(let scenario): return scenario
        case .failure(let found):
            Issue.record("\(found)\n\(text)")
            throw found
        }
    }

    @Test func `responses become routes, and requests become steps`() throws {
        var list = try exchange("https://a.example/list?x=1", 0, end: 100, bytes: 5000)
        list.contentType = "application/json; charset=utf-8"
        list.wait = 40_000_000
        var post = try exchange("https://a.example/send", 200, method: "POST", status: 503)
        post.requestBytes = 300
        let text = text(list, post) { $0.roundTrips = [60_000_000, 25_000_000, 40_000_000] }
        let scenario = try read(text)
        #expect(scenario.origin.tls != nil && scenario.origin.routes.map(\.path) == ["/list", "/send"])
        #expect(scenario.origin.routes.map(\.host) == ["a.example", "a.example"])
        #expect(scenario.origin.routes.map(\.delay) == [.milliseconds(40), nil])
        #expect(scenario.tasks.map(\.url) == ["https://a.example/list?x=1", "https://a.example/send"])
        for line in [
            #""//a.example/list": { size: 5000, type: "application/json; charset=utf-8", delay: 40ms }"#,
            #""//a.example/send": { status: 503, size: 10 }"#, "body: { size: 300 }", "wait: true",
            "downlink: { delay: 20ms } # too few bytes", "- response: { task: task2, status: 503 }",
        ] {
            #expect(text.contains(line), "\(line) is missing in\n\(text)")
        }
    }

    @Test func `requests that overlapped are not made to wait`() throws {
        let text = text(try exchange("http://a.example/1", 0, end: 100), try exchange("http://a.example/2", 50))
        #expect(!text.contains("wait: true"))
        _ = try read(text)
    }

    @Test func `a followed redirect is one step, and another one is refused`() throws {
        var first = try exchange("http://a.example/old", 0, status: 301)
        first.redirect = CapturedURL("https://a.example/new")
        let target = try exchange("https://a.example/new", 5)
        var lost = try exchange("http://a.example/away", 9, status: 302)
        lost.redirect = CapturedURL("https://elsewhere.example/")
        let text = text(first, target, lost)
        let scenario = try read(text)
        #expect(scenario.tasks.map(\.url) == ["http://a.example/old", "http://a.example/away"])
        #expect(text.contains(#"{ redirect: "https://a.example/new", status: 301 }"#))
        #expect(text.components(separatedBy: "redirect: refuse").count == 2)
    }

    @Test func `responses that differ become variants, by order or by query`() throws {
        let retried = text(
            try exchange("http://a.example/r", 0, status: 503), try exchange("http://a.example/r", 10, bytes: 77))
        #expect(retried.contains("when: { request: 1 }, status: 503") && retried.contains("size: 77"))
        _ = try read(retried)
        let queried = text(
            try exchange("http://a.example/q?p=1", 0, bytes: 1), try exchange("http://a.example/q?p=2", 10, bytes: 2),
            try exchange("http://a.example/q", 20, bytes: 3),
            try exchange("http://a.example/q", 30, method: "HEAD", bytes: 0))
        #expect(queried.contains("    size: 3\n"))
        #expect(queried.contains(#"when: { method: GET, query: "p=2" }, size: 2"#))
        _ = try read(queried)
    }

    /// The second request of its path breaks off; the first one and that of another path must not.
    @Test func `a response that broke off does so again at its byte`() throws {
        var broken = try exchange("http://a.example/big", 20, end: 30, bytes: 3000)
        broken.announcedBytes = 9000
        let text = text(
            try exchange("http://a.example/big", 0, bytes: 9000), try exchange("http://a.example/small", 10), broken)
        let fault = #"{ at: { responseBody: 3000 }, for: { path: "/big", request: 2 }, do: reset }"#
        #expect(text.contains(fault) && text.contains(#""//a.example/big": { size: 9000 }"#), "\(text)")
        #expect(text.contains("task: task3, error: networkConnectionLost") && text.contains("task: task1, error: none"))
        #expect(try read(text).origin.faults.count == 1)
    }

    @Test func `every status is a valid route`() throws {
        for status in [200, 204, 205, 206, 301, 304, 401, 404, 500] {
            _ = try read(text(try exchange("http://a.example/", status: status)))
        }
    }

    @Test func `parts of URLs that look like secrets are replaced, each by its own word`() throws {
        let secret = "9f86d081884c7d659a2feaa0c55ad015"
        let text = text(
            try exchange("http://a.example/reset/\(secret)?token=abc&lang=en"),
            try exchange(
                "http://user:hunter2@a.example/u/jane@mail.example?id=123456789012&q=eyJhbGciOiJIUzI1NiJ9.e30.x"),
            try exchange("http://a.example/reset/\(secret)?Access-Key=abc&v=1.2"))
        for word in [secret, "abc", "hunter2", "jane", "123456789012", "eyJ"] {
            #expect(!text.contains(word), "\(word) is in\n\(text)")
        }
        #expect(text.contains("http://a.example/reset/removed1?token=removed2&lang=en"))
        #expect(text.contains("http://a.example/reset/removed1?Access-Key=removed2&v=1.2"))
        _ = try read(text)
    }

    /// The lab cannot serve a machine's own names, and YAML must not change them.
    @Test func `unusual URLs stay readable`() throws {
        let scenario = try read(
            text(
                try exchange("http://localhost:8080/a b?c=\"d\"#e"), try exchange("http://[::1]/x"),
                try exchange("http://127.0.0.1"), try exchange("http://A.Example./null?%7B=ü"),
                try exchange("http://a.example//two")))
        #expect(
            scenario.tasks.map(\.url) == [
                "http://api.test/a%20b?c=%22d%22", "http://api.test/x", "http://api.test/",
                "http://a.example/null?%7B=%C3%BC", "http://a.example//two",
            ])
        #expect(CapturedURL("ftp://a.example/") == nil && CapturedURL("http:///x") == nil && CapturedURL("/x") == nil)
    }

    @Test func `a long capture is cut, and says so`() throws {
        var traffic = CapturedTraffic()
        traffic.exchanges = try (0..<250).map { try exchange("http://a.example/\($0)", Int64($0)) }
        let scenario = CaptureScenario(traffic, source: "long.pcapng")
        let text = scenario.text(schema: "s")
        #expect(scenario.requestCount == 200 && text.contains("without the requests after the first 200 (50)"))
        #expect(try read(text).requestBudget == 400)
    }
}
