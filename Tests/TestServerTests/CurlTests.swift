import Record
import AdapterProtocol
import Foundation
import NIOCore
import ScenarioLanguage
import Conformance
import Testing

@testable import TestServer

extension LoopbackTests {
    /// The verdict of an independent client on each broken frame: its exit status names the class of the error
    /// (https://curl.se/libcurl/c/libcurl-errors.html), so that the tests do not rely only on our own client.
    /// `CurlFaultTests` has the faults.
    @Suite(.enabled(if: !Command.isMissing("curl"), "curl is not installed")) struct CurlTests {
        enum Verdict: Int32, CustomTestStringConvertible {
            case fine = 0
            /// The response is not HTTP/1 (curl takes it for HTTP/0.9, which it refuses).
            case noHTTP = 1
            case weirdReply = 8
            case partial = 18
            case tooLarge = 27
            case timedOut = 28
            case receiveFailed = 56

            var testDescription: String { "\(self) (\(rawValue))" }
        }

        struct Case: Sendable, CustomTestStringConvertible {
            var name: String
            var verdicts: [Verdict]
            var plan: OriginPlan
            var arguments: [String] = []
            /// The expected standard output of curl, when that matters.
            var body: String?
            var testDescription: String { "\(name) → \(verdicts.map(\.testDescription))" }
        }

        private static let text = "0123456789"

        private static func plan(
            _ faults: [Fault] = [], _ framing: Resource.Framing = .contentLength, status: Int = 200
        ) -> OriginPlan {
            var resource = Resource(body: .text(text))
            resource.framing = framing
            resource.status = status
            var plan = OriginPlan()
            plan.routes = [Route(path: "/x", content: .resource(resource))]
            plan.routes[0].wire.chunkSize = ByteCount(4)!
            plan.faults = faults
            return plan
        }

        private static func wire(
            _ name: String, _ verdicts: Verdict..., framing: Resource.Framing = .contentLength, status: Int = 200,
            arguments: [String] = [], body: String? = nil, _ change: (inout WirePlan) -> Void
        ) -> Case {
            var plan = plan([], framing, status: status)
            change(&plan.routes[0].wire)
            return Case(name: name, verdicts: verdicts, plan: plan, arguments: arguments, body: body)
        }

        static let frames = [
            wire("Content-Length too long, then the end", .partial, body: text) {
                ($0.contentLength, $0.closes) = (["12"], true)
            },
            wire("Content-Length too long, then silence", .timedOut, arguments: ["--max-time", "1"], body: text) {
                $0.contentLength = ["12"]
            },
            wire("Content-Length too short", .fine, body: "01234") { $0.contentLength = ["5"] },
            wire("no Content-Length, then the end", .fine, body: text) { ($0.contentLength, $0.closes) = ([], true) },
            // This curl accepts one of them; later versions refuse.
            wire("two different Content-Lengths", .fine, .weirdReply) { $0.contentLength = ["10", "5"] },
            wire("Content-Length is negative", .weirdReply) { $0.contentLength = ["-5"] },
            wire("Content-Length is not a number", .weirdReply) { $0.contentLength = ["many"] },
            wire("a bad chunk size", .receiveFailed, framing: .chunked, body: "0123") { $0.chunkLines = [2: "xyz"] },
            wire("a chunk size beyond all numbers", .receiveFailed, framing: .chunked) {
                $0.chunkLines = [1: "fffffffffffffffff"]
            },
            wire("no last chunk, then the end", .partial, framing: .chunked, body: text) {
                ($0.omitsLastChunk, $0.closes) = (true, true)
            },
            wire("trailers", .fine, framing: .chunked, body: text) { $0.trailers = [.init("X-Sum", "45")] },
            wire("a status line without a status", .noHTTP) { $0.statusLine = "HTTP/1.1 banana" },
            wire("a status line of another protocol", .noHTTP) { $0.statusLine = "ICY 200 OK" },
            wire("HTTP/0.9", .noHTTP) { $0.omitsHead = true },
            wire("HTTP/0.9, expected", .fine, arguments: ["--http0.9"], body: text) { $0.omitsHead = true },
            wire("NUL in a header", .weirdReply) { $0.lines = ["X-Nul: a\u{0}b"] },
            wire("a folded header", .fine, body: text) { $0.lines = ["X-Folded: a", " b"] },
            wire("a header without blank", .fine, body: text) { $0.lines = ["X-Tight:1"] },
            wire("a head with bare line feeds", .fine, body: text) { $0.lineEnd = .lf },
            wire("a header of 64 KiB", .fine, body: text) { $0.longHeader = ByteCount(65_536)! },
            wire("a header of 200 KiB", .tooLarge) { $0.longHeader = ByteCount(200 * 1024)! },
            wire("interim responses", .fine, body: text) {
                $0.interim = [100, 102, 103, 104].map { .init(status: $0) }
            },
            wire("204 with a body", .fine, status: 204, body: "") { $0.sendsForbiddenBody = true },
            wire("304 with a body", .fine, status: 304, body: "") { $0.sendsForbiddenBody = true },
            wire("bytes after the response", .fine, body: text) { $0.surplus = "HTTP/1.1 200 Forged\r\n\r\n" },
        ]

        @Test(arguments: frames) func `curl reports each broken frame correctly`(it: Case) async throws {
            try await check(it)
        }

        @Test func `curl does not read a body after HEAD and does not use the connection again`() async throws {
            var plan = CurlTests.plan()
            plan.routes[0].wire.sendsForbiddenBody = true
            try await OriginRun.serving(plan) { run in
                let port = try #require(run.address.port)
                let result = try await Command.run([
                    "curl", "-sS", "--max-time", "5", "--noproxy", "*", "-I", "http://127.0.0.1:\(port)/x", "--next",
                    "-sS", "--max-time", "5", "--noproxy",
                    "*", "http://127.0.0.1:\(port)/x",
                ])
                #expect(result.status == 0, "\(result.output)")
                #expect(result.output.hasSuffix("\r\n\r\n\(CurlTests.text)"))
            }
        }

        /// The second request of one curl encounters the fault on the connection of the first; curl repeats it on a new
        /// one.
        @Test func `curl repeats a request after a reset on a reused connection`() async throws {
            let plan = CurlTests.plan([Fault(point: .reusedRequest, effect: .reset, scope: .init(first: 1))])
            try await OriginRun.serving(plan) { run in
                let port = try #require(run.address.port)
                let url = "http://127.0.0.1:\(port)/x"
                let result = try await Command.run(["curl", "-sS", "--max-time", "5", "--noproxy", "*", url, url])
                #expect(result.status == 0, "\(result.output)")
                #expect(result.output == CurlTests.text + CurlTests.text)
                #expect(run.origin.counts == Origin.Counts(connections: 2, requests: 3))
            }
        }

        @Test func `curl tries again after two failures and succeeds`() async throws {
            let plan = CurlTests.plan([
                Fault(point: .requestHead, effect: .status(503, []), scope: .init(path: "/x", first: 2))
            ])
            try await OriginRun.serving(plan) { run in
                let port = try #require(run.address.port)
                let result = try await Command.run([
                    "curl", "-sSf", "--noproxy", "*", "--retry", "2", "--retry-delay", "1", "--retry-connrefused",
                    "http://127.0.0.1:\(port)/x",
                ])
                #expect(result.status == 0, "\(result.output)")
                #expect(run.origin.counts.requests == 3)
            }
        }

        private func check(_ it: Case) async throws {
            let output = NSTemporaryDirectory() + "cw-curl-\(UUID().uuidString)"
            defer { try? FileManager.default.removeItem(atPath: output) }
            try await OriginRun.serving(it.plan) { run in
                let result = try await Command.run(
                    ["curl", "-sS", "--noproxy", "*", "--max-time", "10", "--http1.1", "-o", output] + it.arguments
                        + ["http://127.0.0.1:\(run.address.port ?? 0)/x"])
                #expect(
                    it.verdicts.map(\.rawValue).contains(result.status),
                    "\(it.name): curl ended with \(result.status): \(result.output)")
                if let body = it.body {
                    let got = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
                    #expect(got == body, "\(it.name)")
                }
            }
        }
    }
}
