import OpenSSLTLS
import Record
import ScenarioLanguage
import TLSTestKit
import Testing

@testable import TestServer

extension LoopbackTests {
    /// The origin's TLS settings, observed by the side that verifies them: OpenSSL as a client that trusts the lab's
    /// authority.
    @Suite struct OriginTLSFormsTests {
        private let authority: CertificateAuthority

        init() throws { authority = try CertificateAuthority.make(commonName: "Test Authority") }

        private func serve(
            _ change: (inout TLSPlan) -> Void, client: ClientTLSOptions? = nil,
            _ body: (OriginRun, RawClient) async throws -> Void
        ) async throws {
            var plan = TLSPlan()
            change(&plan)
            let server = try OriginIdentity.context(for: plan, authority: authority, hosts: ["api.test"])
            let context = try TLSContext.client(client ?? ClientTLSOptions(trust: .roots(authority.certificatePEM)))
            try await OriginRun.serving(.big(10), tls: server) { run in
                let client = try await RawClient.connect(to: run.secureAddress, tls: context)
                client.send("GET /big HTTP/1.1\r\nHost: api.test\r\nConnection: close\r\n\r\n")
                try await body(run, client)
            }
        }

        private func agreement(_ run: OriginRun) -> TLSAgreement? {
            run.facts.lazy.compactMap { if case .tlsAgreed(_, let agreement) = $0 { agreement } else { nil } }.first
        }

        @Test(arguments: [TLSPlan.Certificate.valid, .intermediate, .revoked])
        func `a good chain is trusted and its parameters are recorded`(certificate: TLSPlan.Certificate) async throws {
            let options = ClientTLSOptions(trust: .roots(authority.certificatePEM), alpn: ["http/1.1"])
            try await serve({ $0.certificate = certificate }, client: options) { run, client in
                #expect(await client.end() == .eof)
                #expect(run.facts.contains(.tlsHello(connection: 1, serverName: "api.test", alpn: ["http/1.1"])))
                let agreed = agreement(run)
                #expect(agreed?.alpn == "http/1.1" && agreed?.clientCertificate == nil)
                #expect(agreed?.certificate?.contains("CN=api.test") == true)
            }
        }

        @Test(arguments: [
            TLSPlan.Certificate.expired, .notYetValid, .wrongHost, .selfSigned, .unknownAuthority, .incompleteChain,
            .weakKey,
        ])
        func `a bad certificate is not trusted`(certificate: TLSPlan.Certificate) async throws {
            try await serve({ $0.certificate = certificate }) { run, client in
                _ = await client.end()
                #expect(run.origin.counts.requests == 0)
            }
        }

        @Test func `a client that offers only other protocols is refused`() async throws {
            let options = ClientTLSOptions(trust: .roots(authority.certificatePEM), alpn: ["h2"])
            try await serve({ $0.alpn = ["http/1.1"] }, client: options) { run, client in
                _ = await client.end()
                await run.wait { $0.contains { if case .tlsFailed = $0 { true } else { false } } }
                #expect(run.origin.counts.requests == 0)
            }
        }

        @Test(arguments: [TLSPlan.ClientCertificate.asked, .required])
        func `a client's certificate is requested`(mode: TLSPlan.ClientCertificate) async throws {
            let request = CertificateRequest(commonName: "ann", usage: .client)
            let shown = ClientTLSOptions(
                trust: .roots(authority.certificatePEM), identity: try authority.issue(request))
            try await serve({ $0.clientCertificate = mode }, client: shown) { run, client in
                #expect(await client.end() == .eof)
                #expect(agreement(run)?.clientCertificate?.contains("CN=ann") == true)
            }
            try await serve({ $0.clientCertificate = mode }) { run, client in
                _ = await client.end()
                #expect(run.origin.counts.requests == (mode == .asked ? 1 : 0))
            }
        }
    }
}
