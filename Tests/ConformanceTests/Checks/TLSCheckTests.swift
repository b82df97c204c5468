import Testing

@testable import Record
@testable import ScenarioLanguage

/// Tests with two handshakes that differ in everything and a failed one between them: only completed ones count.
@Suite struct TLSCheckTests {
    static func run() -> Run {
        var run = Run()
        run.add(.server(.accepted(connection: 1, client: "192.0.2.2", port: 1)))
        run.add(.server(.tlsHello(connection: 1, serverName: "API.test", alpn: ["h2"])))
        run.add(.server(.tlsAgreed(connection: 1, TLSAgreement(cipher: "TLS_AES_128_GCM_SHA256", alpn: "h2"))))
        run.add(.server(.tlsEstablished(connection: 1, version: "1.3", serverName: "API.test")))
        run.add(.server(.accepted(connection: 2, client: "192.0.2.2", port: 2)))
        run.add(.server(.tlsFailed(connection: 2, reason: "alert 48")))
        run.add(.server(.accepted(connection: 3, client: "192.0.2.2", port: 3)))
        let second = TLSAgreement(
            cipher: "TLS_AES_128_GCM_SHA256", isResumed: true, earlyData: .refused, clientCertificate: "CN=ann")
        run.add(.server(.tlsAgreed(connection: 3, second)))
        run.add(.server(.tlsEstablished(connection: 3, version: "1.3", serverName: nil)))
        return run
    }

    @Test func `each difference is named`() throws {
        let found = try Self.run().found("tls: { version: '1.2', alpn: http/1.1 }")
        #expect(found == "ALPN h2, TLS 1.3")
    }

    @Test func `an agreement is that of its own connection, also between those of another one`() throws {
        var run = Run()
        for (number, alpn) in [(1, "h2"), (2, "http/1.1")] {
            run.add(.server(.accepted(connection: number, client: "192.0.2.2", port: number)))
            run.add(
                .server(.tlsAgreed(connection: number, TLSAgreement(cipher: "TLS_AES_128_GCM_SHA256", alpn: alpn))))
        }
        run.add(.server(.tlsEstablished(connection: 1, version: "1.3", serverName: "one.test")))
        #expect(try run.found("tls: { alpn: h2, serverName: one.test }") == nil)
        #expect(try run.found("tls: { alpn: http/1.1, serverName: one.test }") != nil)
    }

    @Test func `an empty check is refused`() {
        #expect(throws: (any Error).self) { try Self.run().found("tls: {}") }
    }
}
