import Record
import Foundation
import NIOCore
import OpenSSLTLS
import ScenarioLanguage
import TLSTestKit
import Testing

@testable import TestServer

extension LoopbackTests {
    /// Independent HTTP/2 clients on the origin: curl, nghttp and h2load.
    @Suite(.enabled(if: !Command.isMissing("curl"), "curl is not installed")) struct HTTP2ClientTests {
        private func plan(_ size: Int64, _ faults: [Fault] = [], protocols: [ApplicationProtocol] = [.http2, .http1])
            -> OriginPlan
        {
            var plan = OriginPlan.big(size, faults)
            plan.protocols = protocols
            return plan
        }

        private func identity(_ protocols: [ApplicationProtocol] = [.http2, .http1]) throws -> TLSContext {
            var tls = TLSPlan()
            tls.alpn = protocols.map(\.rawValue)
            return try OriginIdentity.context(
                for: tls, authority: try CertificateAuthority.make(commonName: "Test Authority"), hosts: ["api.test"],
                addresses: ["127.0.0.1"])
        }

        private func url(_ run: OriginRun, secure: Bool, _ path: String = "/big") -> String {
            secure
                ? "https://127.0.0.1:\(run.secureAddress.port ?? 0)\(path)"
                : "http://127.0.0.1:\(run.address.port ?? 0)\(path)"
        }

        private func curl(_ arguments: [String], to file: String? = nil) async throws -> Command.Result {
            try await Command.run(["curl", "-sk", "--max-time", "20", "-o", file ?? "/dev/null"] + arguments)
        }

        private static let report = [
            "-w", "%{http_version} %{response_code} %{size_download} %{num_connects} %{errormsg}\n",
        ]

        @Test func `curl uses HTTP/2 with prior knowledge and gets every byte`() async throws {
            let path = NSTemporaryDirectory() + "cw-h2-\(UUID().uuidString)"
            defer { try? FileManager.default.removeItem(atPath: path) }
            try await OriginRun.serving(plan(1_000_000)) { run in
                let result = try await curl(
                    ["--http2-prior-knowledge", url(run, secure: false)] + Self.report, to: path)
                #expect(result.output.hasPrefix("2 200 1000000"))
                #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(Bytes.big(0, 1_000_000)))
            }
        }

        @Test func `curl selects HTTP/2 by ALPN, and HTTP/1.1 when only that is offered`() async throws {
            try await OriginRun.serving(plan(100_000), tls: try identity()) { run in
                let result = try await curl(["--http2", url(run, secure: true)] + Self.report)
                #expect(result.output.hasPrefix("2 200 100000"))
                let old = try await curl(["--http1.1", url(run, secure: true)] + Self.report)
                #expect(old.output.hasPrefix("1.1 200 100000"))
            }
            try await OriginRun.serving(plan(100_000, protocols: [.http1]), tls: try identity([.http1])) { run in
                let result = try await curl(["--http2", url(run, secure: true)] + Self.report)
                #expect(result.output.hasPrefix("1.1 200 100000"))
            }
        }

        @Test func `an upload arrives whole`() async throws {
            let path = NSTemporaryDirectory() + "cw-h2-\(UUID().uuidString)"
            defer { try? FileManager.default.removeItem(atPath: path) }
            try Data(Bytes.big(0, 3_000_000)).write(to: URL(fileURLWithPath: path))
            try await OriginRun.serving(plan(10)) { run in
                let result = try await curl(
                    ["--http2-prior-knowledge", "--data-binary", "@\(path)", url(run, secure: false)] + Self.report)
                #expect(result.output.hasPrefix("2 200 10"))
                #expect(
                    run.facts.contains(.requestEnded(request: 1, bodyBytes: 3_000_000, differsAt: nil, bodyText: nil)))
            }
        }

        /// curl's error messages; each names the planned fault and not another one.
        @Test(
            arguments: [
                (Fault.Effect.stream(.resetStream(HTTP2ErrorCode(rawValue: 2))), "92", "INTERNAL_ERROR (err 2)"),
                // A refused stream may be sent again, but not when its response has begun.
                (.stream(.resetStream(.refusedStream)), "56", "Failure when receiving data from the peer"),
                (.close, "18", "was not closed cleanly"),
                // 55 when curl was sending a frame about the window as the RST arrived, 56 when it was receiving.
                (.reset, "55|56", "Connection reset by peer"),
                (.garbage("this is not a frame at all"), "18", "bytes remaining to read"),
                (
                    .stream(.frame(RawFrame(type: 8, stream: 0, payload: [0, 0, 0, 0]))), "18",
                    "bytes remaining to read"
                ),
            ] as [(Fault.Effect, String, String)])
        func `curl reports each fault correctly`(effect: Fault.Effect, code: String, words: String) async throws {
            let fault = Fault(point: .responseBody(40_000), effect: effect)
            try await OriginRun.serving(plan(100_000, [fault])) { run in
                let result = try await curl(
                    [
                        "--http2-prior-knowledge", url(run, secure: false), "-w",
                        "%{exitcode} %{size_download} %{errormsg}\n",
                    ])
                let status = result.output.prefix { $0 != " " }
                #expect(code.split(separator: "|").contains(status), "\(result.output)")
                // At a reset or a protocol error curl may drop the bytes that it read together with it, but never
                // output more than were sent.
                let got = try #require(result.output.split(separator: " ").dropFirst().first.flatMap { Int($0) })
                if case .close = effect { #expect(got == 40_000) }
                #expect((0...40_000).contains(got), "\(result.output)")
                #expect(result.output.contains(words), "\(result.output)")
            }
        }

        @Test func `after a refused stream curl tries again and succeeds`() async throws {
            let fault = Fault(
                point: .requestHead, effect: .stream(.resetStream(.refusedStream)),
                scope: Fault.Scope(path: "/big", first: 1))
            try await OriginRun.serving(plan(1_000, [fault])) { run in
                let first = try await curl([
                    "--http2-prior-knowledge", url(run, secure: false), "-w", "%{response_code} %{exitcode}\n",
                ])
                let second = try await curl(["--http2-prior-knowledge", url(run, secure: false)] + Self.report)
                #expect(first.status != 0 || first.output.hasPrefix("200"))
                #expect(second.output.hasPrefix("2 200 1000"))
            }
        }

        @Test(.enabled(if: !Command.isMissing("nghttp"), "nghttp (nghttp2-client) is not installed"))
        func `nghttp sees GOAWAY with its last stream and code`() async throws {
            let goAway = Fault(point: .responseBody(10), effect: .stream(.goAway(.enhanceYourCalm, last: .this)))
            try await OriginRun.serving(plan(1_000, [goAway])) { run in
                let result = try await Command.run(["nghttp", "-nv", "--timeout=10s", url(run, secure: false)])
                #expect(result.output.contains("recv GOAWAY frame"))
                #expect(result.output.contains("error_code=ENHANCE_YOUR_CALM(0x0b)"), "\(result.output.suffix(600))")
                #expect(result.output.contains("recv DATA frame"))
            }
        }

        @Test(.enabled(if: !Command.isMissing("nghttp"), "nghttp (nghttp2-client) is not installed"))
        func `nghttp's streams share one connection, and its priorities are recorded`() async throws {
            try await OriginRun.serving(plan(300_000)) { run in
                let one = url(run, secure: false)
                let result = try await Command.run([
                    "nghttp", "-n", "--weight=200", "--timeout=10s", one, one + "?b", one + "?c",
                ])
                #expect(result.status == 0)
                await run.wait { facts in facts.count { if case .responseEnded = $0 { true } else { false } } == 3 }
                #expect(run.origin.counts.connections == 1)
                #expect(
                    run.facts.contains {
                        if case .stream(_, _, let priority?) = $0 { priority.contains("weight 200") } else { false }
                    })
            }
        }

        /// 2,000 requests on 4 connections with 20 streams each: every one gets a response.
        @Test(
            .enabled(if: !Command.isMissing("h2load"), "h2load (nghttp2-client) is not installed"),
            arguments: [false, true])
        func `h2load finds a response to every request`(secure: Bool) async throws {
            try await OriginRun.serving(plan(5_000), tls: try identity()) { run in
                let result = try await Command.run([
                    "h2load", "-n", "2000", "-c", "4", "-m", "20", url(run, secure: secure),
                ])
                #expect(
                    result.output.contains("2000 succeeded, 0 failed, 0 errored, 0 timeout"),
                    "\(result.output.suffix(900))")
                #expect(run.origin.counts.connections == 4)
                #expect(run.origin.counts.requests == 2_000)
            }
        }
    }
}
