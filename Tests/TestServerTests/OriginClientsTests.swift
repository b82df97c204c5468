import Record
import AdapterProtocol
import Foundation
import NIOCore
import ScenarioLanguage
import Testing

@testable import TestServer

extension LoopbackTests {
    /// wget and Python's requests and httpx on the origin: three more independent HTTP parsers. wget reports a fault by
    /// its exit status (4 network failure, 8 the server's error status), the others by the class of their exception.
    @Suite struct OriginClientsTests {
        private static let python = "/usr/bin/python3"
        /// Checks the distribution's Python, in case others are installed.
        private static func lacks(_ module: String) -> Bool {
            !FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/\(module)")
        }

        struct Case: Sendable, CustomTestStringConvertible {
            var name: String
            var plan: OriginPlan
            var wget: Int32
            var requests: String
            var httpx: String
            var testDescription: String { name }
        }

        private static func plan(
            _ framing: Resource.Framing = .contentLength, status: Int = 200,
            _ change: (inout OriginPlan) -> Void = { _ in }
        ) -> OriginPlan {
            var resource = Resource(body: .text("0123456789"))
            resource.framing = framing
            resource.status = status
            var plan = OriginPlan()
            plan.routes = [Route(path: "/x", content: .resource(resource))]
            plan.routes[0].wire.chunkSize = ByteCount(4)!
            change(&plan)
            return plan
        }

        private static func fault(
            _ point: Fault.Point, _ effect: Fault.Effect, _ framing: Resource.Framing = .contentLength
        ) -> OriginPlan {
            plan(framing) { $0.faults = [Fault(point: point, effect: effect)] }
        }

        /// wget accepts a chunked body that breaks off as whole, and requests one that is shorter than its
        /// Content-Length; this is their behaviour, not a requirement.
        static let cases = [
            Case(name: "a whole answer", plan: plan(), wget: 0, requests: "200 0123456789", httpx: "200 0123456789"),
            Case(
                name: "chunks with trailers",
                plan: plan(.chunked) { $0.routes[0].wire.trailers = [.init("X-Sum", "45")] }, wget: 0,
                requests: "200 0123456789", httpx: "200 0123456789"),
            Case(
                name: "a body until the end", plan: plan(.untilClose), wget: 0, requests: "200 0123456789",
                httpx: "200 0123456789"),
            Case(
                name: "interim responses", plan: plan { $0.routes[0].wire.interim = [.init(status: 100)] }, wget: 0,
                requests: "200 0123456789", httpx: "200 0123456789"),
            Case(name: "503", plan: plan(status: 503), wget: 8, requests: "503 0123456789", httpx: "503 0123456789"),
            Case(
                name: "the end before the head", plan: fault(.requestHead, .close), wget: 4,
                requests: "ConnectionError", httpx: "RemoteProtocolError"),
            Case(
                name: "RST before the head", plan: fault(.requestHead, .reset), wget: 4, requests: "ConnectionError",
                httpx: "ReadError"),
            Case(
                name: "silence", plan: fault(.requestHead, .stall), wget: 4, requests: "ReadTimeout",
                httpx: "ReadTimeout"),
            Case(
                name: "the end in the body", plan: fault(.responseBody(5), .close), wget: 4, requests: "200 01234",
                httpx: "RemoteProtocolError"),
            Case(
                name: "RST in the body", plan: fault(.responseBody(5), .reset), wget: 4,
                requests: "ChunkedEncodingError", httpx: "ReadError"),
            Case(
                name: "the end inside a chunk", plan: fault(.insideChunk(2), .close, .chunked), wget: 0,
                requests: "ChunkedEncodingError", httpx: "RemoteProtocolError"),
            Case(
                name: "a bad chunk size", plan: plan(.chunked) { $0.routes[0].wire.chunkLines = [2: "xyz"] }, wget: 0,
                requests: "ChunkedEncodingError",
                httpx: "RemoteProtocolError"),
            Case(
                name: "a status line without a status", plan: plan { $0.routes[0].wire.statusLine = "HTTP/1.1 banana" },
                wget: 4, requests: "ConnectionError",
                httpx: "RemoteProtocolError"),
        ]

        private func url(_ run: OriginRun) -> String { "http://127.0.0.1:\(run.address.port ?? 0)/x" }

        @Test(.enabled(if: !Command.isMissing("wget"), "wget is not installed"), arguments: cases)
        func `wget ends with the fault's status`(it: Case) async throws {
            try await OriginRun.serving(it.plan) { run in
                let result = try await Command.run([
                    "wget", "-q", "--no-proxy", "--tries=1", "--read-timeout=1", "--max-redirect=5", "-O", "/dev/null",
                    url(run),
                ])
                #expect(result.status == it.wget, "\(result.output)")
            }
        }

        @Test(.enabled(if: !lacks("requests"), "python3-requests is not installed"), arguments: cases)
        func `requests raises the fault's exception`(it: Case) async throws {
            try await OriginRun.serving(it.plan) { run in
                let program = """
                    import requests
                    s = requests.Session(); s.trust_env = False
                    try:
                        r = s.get("\(url(run))", timeout=1)
                        print(r.status_code, r.text)
                    except requests.RequestException as e:
                        print(type(e).__name__)
                    """
                let result = try await Command.run([Self.python, "-W", "ignore", "-c", program])
                #expect(result.output == it.requests + "\n")
            }
        }

        @Test(.enabled(if: !lacks("httpx"), "python3-httpx is not installed"), arguments: cases)
        func `httpx raises the fault's exception`(it: Case) async throws {
            try await OriginRun.serving(it.plan) { run in
                let program = """
                    import httpx
                    try:
                        r = httpx.Client(trust_env=False).get("\(url(run))", timeout=1)
                        print(r.status_code, r.text)
                    except httpx.HTTPError as e:
                        print(type(e).__name__)
                    """
                let result = try await Command.run([Self.python, "-W", "ignore", "-c", program])
                #expect(result.output == it.httpx + "\n")
            }
        }

        /// httpx uses HTTP/2 through another library than curl and nghttp, h2.
        @Test(.enabled(if: !lacks("httpx") && !lacks("h2"), "python3-httpx or python3-h2 is not installed"))
        func `httpx uses HTTP/2 with the origin, and names a reset stream by its code`() async throws {
            var plan = OriginPlan.big(
                200_000,
                [
                    Fault(
                        point: .responseBody(50_000), effect: .stream(.resetStream(.enhanceYourCalm)),
                        scope: .init(request: 2))
                ])
            plan.protocols = [.http2]
            try await OriginRun.serving(plan) { run in
                let program = """
                    import httpx
                    c = httpx.Client(http1=False, http2=True, trust_env=False)
                    u = "http://127.0.0.1:\(run.address.port ?? 0)"
                    r = c.get(u + "/big"); print(r.http_version, r.status_code, len(r.content))
                    try: c.get(u + "/big")
                    except httpx.HTTPError as e: print(type(e).__name__, "11" in str(e) or "ENHANCE" in str(e))
                    print(c.post(u + "/echo", content=b"x" * 100000).status_code)
                    """
                let result = try await Command.run([Self.python, "-W", "ignore", "-c", program])
                #expect(result.output == "HTTP/2 200 200000\nRemoteProtocolError True\n200\n", "\(result.output)")
                #expect(
                    run.facts.contains(.requestEnded(request: 3, bodyBytes: 100_000, differsAt: nil, bodyText: nil))
                        || run.origin.counts.requests == 3)
            }
        }
    }
}
