import Record
@testable import Record
import OpenSSLTLS
import ScenarioLanguage
import TLSTestKit
import Testing

@testable import TestServer

private let get = "GET /big HTTP/1.1\r\nHost: api.test\r\n\r\n"

extension LoopbackTests {
    /// Faults during the handshake and in the bytes below TLS, observed by our own TLS client.
    @Suite struct OriginTLSFaultTests {
        private let authority: CertificateAuthority

        init() throws { authority = try CertificateAuthority.make(commonName: "Test Authority") }

        private func serving(
            _ fault: Fault, version: TLSVersion = .tls13, _ body: (OriginRun, RawClient) async throws -> Void
        ) async throws {
            var plan = TLSPlan()
            plan.maximumVersion = version.rawValue
            let server = try OriginIdentity.context(for: plan, authority: authority, hosts: ["api.test"])
            let context = try TLSContext.client(ClientTLSOptions(trust: .roots(authority.certificatePEM)))
            try await OriginRun.serving(.big(100_000, [fault]), tls: server) { run in
                let client = try await RawClient.connect(to: run.secureAddress, tls: context)
                client.send(get)
                try await body(run, client)
            }
        }

        private func isEstablished(_ run: OriginRun) -> Bool {
            run.facts.contains { if case .tlsEstablished = $0 { true } else { false } }
        }

        @Test(arguments: [Fault.Point.tlsStart, .tlsClientHello, .tlsFinished], [TLSVersion.tls12, .tls13])
        func `a handshake can get an alert at each of its points`(point: Fault.Point, version: TLSVersion)
            async throws
        {
            try await serving(Fault(point: point, effect: .tlsAlert(80)), version: version) { run, client in
                guard case .other(let error) = await client.end() else {
                    Issue.record("no alert seen at \(point)")
                    return
                }
                #expect(error.contains("alert 80"), "\(error)")
                #expect(!isEstablished(run))
            }
        }

        @Test(arguments: [Fault.Point.tlsStart, .tlsClientHello, .tlsFinished])
        func `a handshake can end in a reset, an end or silence`(point: Fault.Point) async throws {
            try await serving(Fault(point: point, effect: .reset)) { run, client in
                let end = await client.end()
                // Before the ClientHello the RST may arrive while the client writes.
                #expect(point == .tlsStart ? end != .eof : end == .reset)
                #expect(!isEstablished(run))
            }
            try await serving(Fault(point: point, effect: .close)) { run, client in
                #expect(await client.end() != .reset)
                #expect(!isEstablished(run))
            }
            try await serving(Fault(point: point, effect: .stall)) { run, client in
                await run.wait { $0.contains { if case .fault = $0 { true } else { false } } }
                #expect(!client.hasEnded)
                client.close()
                await run.wait { $0.contains { if case .closed = $0 { true } else { false } } }
                #expect(!isEstablished(run))
            }
        }

        @Test(arguments: [Fault.Point.tlsStart, .tlsClientHello, .tlsFinished])
        func `a handshake can get garbage`(point: Fault.Point) async throws {
            for effect in [
                Fault.Effect.garbage("HTTP/1.1 400 Bad Request\r\n\r\n"), .noise(ByteCount(300)!),
                .tlsGarbage("\u{17}nonsense"),
            ] {
                try await serving(Fault(point: point, effect: effect)) { run, client in
                    guard case .other = await client.end() else {
                        Issue.record("\(effect) at \(point) was taken for TLS")
                        return
                    }
                    #expect(!isEstablished(run))
                }
            }
        }

        @Test(arguments: [Fault.Point.tlsStart, .tlsClientHello, .tlsFinished], [TLSVersion.tls12, .tls13])
        func `a delayed handshake continues`(point: Fault.Point, version: TLSVersion) async throws {
            try await serving(Fault(point: point, effect: .pause(.milliseconds(20))), version: version) { run, client in
                #expect(await client.receiveBody(100_000) == Bytes.big(0, 100_000))
                #expect(
                    run.facts.contains(
                        .fault(connection: 1, request: nil, point: point.description, effect: "pause: 0.02 seconds")))
            }
        }

        @Test func `a handshake without faults before its Finished completes`() async throws {
            try await serving(Fault(point: .tlsFinished, effect: .reset, scope: .init(connection: 2))) { run, client in
                #expect(await client.receiveBody(100_000) == Bytes.big(0, 100_000))
            }
        }

        @Test func `a delayed fault of the handshake happens on the established connection`() async throws {
            let fault = Fault(point: .tlsFinished, effect: .closeWithoutNotify, delay: .milliseconds(50))
            try await serving(fault) { run, client in
                #expect(await client.receiveBody(100_000) == Bytes.big(0, 100_000))
                _ = await client.end()
                #expect(client.sawTruncation)
            }
        }

        /// The record's bytes cannot be authenticated, whatever they are.
        @Test func `garbage below TLS is not a valid record`() async throws {
            try await serving(Fault(point: .responseBody(50_000), effect: .tlsGarbage("not a record at all"))) {
                run, client in
                guard case .other(let error) = await client.end() else {
                    Issue.record("the garbage was taken for an end")
                    return
                }
                #expect(client.body == Bytes.big(0, 50_000), "\(error)")
            }
        }

        @Test func `garbage within TLS reaches the application`() async throws {
            try await serving(Fault(point: .responseHead(after: 0), effect: .garbage("what is this"))) { run, client in
                _ = await client.end()
                #expect(client.text == "what is this")
            }
        }
    }
}
