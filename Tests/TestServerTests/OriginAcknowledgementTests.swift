import Foundation
import NIOCore
import OpenSSLTLS
import Record
import ScenarioLanguage
import TLSTestKit
import Testing

@testable import TestServer

extension LoopbackTests {
    /// The bytes that the client's kernel has acknowledged to ours. A client that does not read has bytes acknowledged
    /// up to the size of its receive buffer and no further, a number that is not known on our side; this proves that it
    /// comes from the peer.
    @Suite struct OriginAcknowledgementTests {
        /// Returns the bytes of request 1's body in this kind of fact, in order.
        private static func acknowledged(_ facts: [ServerFact]) -> [Int64] {
            facts.compactMap { if case .acknowledged(1, 1, let bytes) = $0 { bytes } else { nil } }
        }

        private static func handed(_ facts: [ServerFact]) -> [Int64] {
            facts.compactMap { if case .responseBody(1, let bytes) = $0 { bytes } else { nil } }
        }

        @Test func `a client that does not read has acknowledged less than the kernel was given, and all at the end`()
            async throws
        {
            let size: Int64 = 12 << 20
            try await OriginRun.serving(.big(size)) { run in
                let client = try await RawClient.connect(to: run.address, reading: false, receiveBuffer: 256 * 1024)
                client.send("GET /big HTTP/1.1\r\nHost: a\r\n\r\n")
                await run.wait { Self.acknowledged($0).last ?? 0 >= 65_536 }
                try await Task.sleep(for: .milliseconds(200))
                let stuck = run.facts
                #expect(try #require(Self.acknowledged(stuck).last) < #require(Self.handed(stuck).last))
                #expect(try #require(Self.handed(stuck).last) < size)
                try await client.startReading()
                await run.wait { Self.acknowledged($0).last == size }
                let told = Self.acknowledged(run.facts)
                #expect(told == told.sorted() && Set(told).count == told.count)
                for (index, fact) in run.facts.enumerated() {
                    guard case .acknowledged(_, _, let bytes) = fact else { continue }
                    #expect(
                        run.facts[..<index].contains(.responseBody(request: 1, bytes: bytes)),
                        "acknowledged before it was given")
                }
                client.close()
            }
        }

        enum Transport: String, CaseIterable { case plain, tls, http2, http2OverTLS }

        /// The origin stops at byte 70,000, which is not the end of a piece; TLS records and frames change its
        /// position, and the client has it.
        @Test(.enabled(if: !Command.isMissing("curl"), "curl is not installed"), arguments: Transport.allCases)
        func `the byte at which the origin waits is acknowledged over every transport`(transport: Transport)
            async throws
        {
            let isSecure = transport == .tls || transport == .http2OverTLS
            let isHTTP2 = transport == .http2 || transport == .http2OverTLS
            var plan = OriginPlan.big(200_000)
            plan.protocols = [.http2, .http1]
            var options = TLSPlan()
            options.alpn = plan.protocols.map(\.rawValue)
            let identity = try OriginIdentity.context(
                for: options, authority: try CertificateAuthority.make(commonName: "Test Authority"),
                hosts: ["api.test"],
                addresses: ["127.0.0.1"])
            try await OriginRun.serving(plan, tls: identity, breakpoints: [(1, 70_000)]) { run in
                let port = (isSecure ? run.secureAddress : run.address).port ?? 0
                let version = isHTTP2 ? (isSecure ? "--http2" : "--http2-prior-knowledge") : "--http1.1"
                async let result = Command.run([
                    "curl", "-sk", "--noproxy", "*", "--max-time", "20", version, "-o", "/dev/null", "-w",
                    "%{http_version} %{size_download}",
                    "\(isSecure ? "https" : "http")://127.0.0.1:\(port)/big",
                ])
                await run.wait(for: .acknowledged(connection: 1, request: 1, bytes: 70_000))
                #expect(Self.handed(run.facts).max() == 70_000, "the origin continues only after a release")
                run.origin.resumeBreakpoint(request: 1, bytes: 70_000)
                let ended = try await result
                #expect(ended.output == "\(isHTTP2 ? "2" : "1.1") 200000")
            }
        }

        /// The client closes within a fraction of the 5 ms between two polls, and its FIN acknowledges everything.
        @Test(arguments: [Transport.plain, .tls])
        func `a client that closes first has acknowledged all it received`(transport: Transport) async throws {
            let authority = try CertificateAuthority.make(commonName: "Test Authority")
            let identity = try OriginIdentity.context(
                for: TLSPlan(), authority: authority, hosts: ["api.test"], addresses: ["127.0.0.1"])
            try await OriginRun.serving(.big(100_000), tls: identity) { run in
                let client =
                    transport == .plain
                    ? try await RawClient.connect(to: run.address)
                    : try await RawClient.connect(
                        to: run.secureAddress,
                        tls: try TLSContext.client(ClientTLSOptions(trust: .roots(authority.certificatePEM))))
                client.send("GET /big HTTP/1.1\r\nHost: a\r\n\r\n")
                _ = await client.receiveBody(100_000)
                client.close()
                await run.wait { $0.contains { if case .closed = $0 { true } else { false } } }
                #expect(Self.acknowledged(run.facts).last == 100_000)
            }
        }

        @Test func `bytes acknowledged before a reset are reported before it`() async throws {
            let reset = Fault(point: .responseBody(100_000), effect: .reset)
            try await OriginRun.serving(.big(1_000_000, [reset])) { run in
                let client = try await RawClient.connect(to: run.address)
                client.send("GET /big HTTP/1.1\r\nHost: a\r\n\r\n")
                _ = await client.end()
                // The origin resets when all bytes before it have been acknowledged.
                await run.wait(for: .acknowledged(connection: 1, request: 1, bytes: 100_000))
            }
        }
    }
}
