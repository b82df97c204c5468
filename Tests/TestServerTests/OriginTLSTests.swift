import Record
import NIOCore
import OpenSSLTLS
import ScenarioLanguage
import TLSTestKit
import Testing

@testable import TestServer

private let get = "GET /big HTTP/1.1\r\nHost: api.test\r\n\r\n"

extension LoopbackTests {
    /// The same exchanges and faults over TLS, observed by a TLS client that reports whether close_notify arrived.
    @Suite struct OriginTLSTests {
        private let authority: CertificateAuthority
        private let server: TLSContext
        private let client: TLSContext

        init() throws {
            authority = try CertificateAuthority.make(commonName: "Test Authority")
            server = try OriginIdentity.context(for: TLSPlan(), authority: authority, hosts: ["api.test"])
            client = try TLSContext.client(ClientTLSOptions(trust: .roots(authority.certificatePEM)))
        }

        private func connect(_ run: OriginRun) async throws -> RawClient {
            try await RawClient.connect(to: run.secureAddress, tls: client)
        }

        private func plan(_ point: Fault.Point, _ effect: Fault.Effect) -> OriginPlan {
            .big(100_000, [Fault(point: point, effect: effect)])
        }

        @Test func `an exchange over TLS is served and its handshake recorded`() async throws {
            try await OriginRun.serving(.big(200_000), tls: server) { run in
                let client = try await connect(run)
                client.send(get)
                #expect(await client.receiveBody(200_000) == Bytes.big(0, 200_000))
                await run.wait(for: .responseEnded(request: 1, bytes: 200_000))
                #expect(run.facts.contains(.tlsEstablished(connection: 1, version: "1.3", serverName: "api.test")))
                client.send("GET /big HTTP/1.1\r\nHost: api.test\r\nConnection: close\r\n\r\n")
                #expect(await client.end() == .eof)
                #expect(!client.sawTruncation)
            }
        }

        @Test(arguments: [(Fault.Effect.close, false), (.closeWithoutNotify, true)])
        func `a close at byte N sends close_notify or not`(effect: Fault.Effect, isTruncation: Bool) async throws {
            try await OriginRun.serving(plan(.responseBody(70_000), effect), tls: server) { run in
                let client = try await connect(run)
                client.send(get)
                _ = await client.end()
                #expect(client.body == Bytes.big(0, 70_000))
                #expect(client.sawTruncation == isTruncation)
            }
        }

        @Test func `a reset at byte N comes after exactly N bytes of plaintext`() async throws {
            try await OriginRun.serving(plan(.responseBody(70_000), .reset), tls: server) { run in
                let client = try await connect(run)
                client.send(get)
                #expect(await client.end() == .reset)
                #expect(client.body == Bytes.big(0, 70_000))
            }
        }

        @Test(arguments: [Fault.Point.accept, .tlsClientHello])
        func `a connection can be reset before TLS has replied`(point: Fault.Point) async throws {
            try await OriginRun.serving(plan(point, .reset), tls: server) { run in
                let client = try await connect(run)
                let end = await client.end()
                // At accept the RST may arrive while the client writes its ClientHello: then a broken pipe, but never a
                // FIN.
                #expect(point == .accept ? end != .eof : end == .reset)
                await run.wait(for: .closed(connection: 1, by: .server))
                #expect(!run.facts.contains { if case .tlsEstablished = $0 { true } else { false } })
            }
        }

        @Test func `a ClientHello can get an alert`() async throws {
            try await OriginRun.serving(plan(.tlsClientHello, .tlsAlert(112)), tls: server) { run in
                let client = try await connect(run)
                guard case .other(let error) = await client.end() else {
                    Issue.record("no alert seen")
                    return
                }
                #expect(error.contains("alert 112"))
                #expect(
                    run.facts.contains(
                        .fault(connection: 1, request: nil, point: "tlsClientHello", effect: "tlsAlert: 112")))
            }
        }

        @Test func `a handshake can be delayed and then continue`() async throws {
            try await OriginRun.serving(plan(.tlsClientHello, .pause(.milliseconds(20))), tls: server) { run in
                let client = try await connect(run)
                client.send(get)
                #expect(await client.receiveBody(10) == Bytes.big(0, 10))
            }
        }

        @Test func `a client that does not trust the certificate is recorded`() async throws {
            let stranger = try CertificateAuthority.make(commonName: "Stranger")
            let context = try TLSContext.client(ClientTLSOptions(trust: .roots(stranger.certificatePEM)))
            try await OriginRun.serving(.big(10), tls: server) { run in
                let client = try await RawClient.connect(to: run.secureAddress, tls: context)
                _ = await client.end()
                await run.wait { $0.contains { if case .closed = $0 { true } else { false } } }
                #expect(run.origin.counts.requests == 0)
            }
        }

        @Test func `a client's close_notify ends its connection`() async throws {
            try await OriginRun.serving(.big(100_000), tls: server, breakpoints: [(1, 10)]) { run in
                let client = try await connect(run)
                client.send(get)
                #expect(await client.receiveBody(10) == Bytes.big(0, 10))
                client.close()
                await run.wait(for: .closed(connection: 1, by: .client))
            }
        }

        @Test func `plain HTTP on the TLS port is a failed handshake`() async throws {
            try await OriginRun.serving(.big(10), tls: server) { run in
                let client = try await RawClient.connect(to: run.secureAddress)
                client.send(get)
                _ = await client.end()
                await run.wait { $0.contains { if case .tlsFailed(connection: 1, _) = $0 { true } else { false } } }
            }
        }

        /// RFC 9525 §6.3. The certificate for the whole label proves that nothing else about the partial one is wrong.
        @Test(arguments: [
            (TLSPlan.Certificate.wildcard, "shop.api.test", true), (.wildcard, "x.shop.api.test", false),
            (.partialWildcard, "shop.api.test", false),
        ])
        func `a wildcard matches a whole first label`(kind: TLSPlan.Certificate, name: String, isBelieved: Bool)
            async throws
        {
            var plan = TLSPlan()
            plan.certificate = kind
            let context = try OriginIdentity.context(for: plan, authority: authority, hosts: ["shop.api.test"])
            try await OriginRun.serving(.big(10), tls: context) { run in
                let client = try await RawClient.connect(to: run.secureAddress, tls: client, serverName: name)
                client.send(get)
                if isBelieved {
                    #expect(await client.receiveBody(10) == Bytes.big(0, 10))
                } else if case .other(let error) = await client.end() {
                    #expect(error.contains("hostname mismatch"), "\(error)")
                } else {
                    Issue.record("\(kind) was believed for \(name)")
                }
            }
        }

        /// Certificates that every client treats alike; those that depend on the client's policy have separate tests.
        @Test(arguments: [
            TLSPlan.Certificate.valid, .expired, .notYetValid, .wrongHost, .selfSigned, .unknownAuthority,
            .incompleteChain,
        ])
        func `each certificate is trusted or not according to its name`(kind: TLSPlan.Certificate) async throws {
            var plan = TLSPlan()
            plan.certificate = kind
            let context = try OriginIdentity.context(for: plan, authority: authority, hosts: ["api.test"])
            try await OriginRun.serving(.big(10), tls: context) { run in
                let client = try await connect(run)
                client.send(get)
                if kind == .valid {
                    #expect(await client.receiveBody(10) == Bytes.big(0, 10))
                } else {
                    guard case .other(let error) = await client.end() else {
                        Issue.record("\(kind) was believed")
                        return
                    }
                    #expect(error.contains("certificate"), "\(error)")
                }
            }
        }
    }
}
