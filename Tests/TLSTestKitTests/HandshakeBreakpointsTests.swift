import OpenSSLTLS
import TLSTestKit
import Testing

/// A server's handshake that stops, and then ends with a chosen alert or continues. All versions, because the messages
/// before Finished differ.
struct HandshakeBreakpointsTests {
    @Test(arguments: [TLSVersion.tls10, .tls12, .tls13], TLSBreakpoint.allCases)
    func `a chosen alert reaches the client unchanged`(version: TLSVersion, hold: TLSBreakpoint) throws {
        let pair = try ConnectionPair(versions: TLSVersionRange(minimum: version, maximum: version), holds: [hold])
        pair.pump()
        #expect(pair.serverEvents.last == .paused(hold))
        #expect(pair.clientInfo == nil)
        // insufficient_security: OpenSSL itself does not send it here.
        try pair.sendAlert(71)
        pair.pump()
        #expect(pair.clientError == .alertReceived(71))
        #expect(pair.clientInfo == nil)
        #expect(throws: TLSError.self) { try pair.sendAlert(71) }
    }

    /// The alert before Finished is sealed here, so each cipher suite of TLS 1.3 has to be right.
    @Test(arguments: ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"])
    func `the client decrypts the sealed alert with every suite`(suite: String) throws {
        let context = try TLSContext.client(ClientTLSOptions(trust: ConnectionPair.trust(), cipherSuites: suite))
        let pair = try ConnectionPair(
            server: .server(ServerTLSOptions(identity: ConnectionPair.identity())), client: context,
            holds: [.beforeFinished])
        pair.pump()
        try pair.sendAlert(80)
        pair.pump()
        #expect(pair.clientError == .alertReceived(80))
    }

    @Test(arguments: TLSVersion.allCases)
    func `a held handshake continues normally`(version: TLSVersion) throws {
        let pair = try ConnectionPair(
            versions: TLSVersionRange(minimum: version, maximum: version), holds: [.beforeResponse, .beforeFinished])
        pair.pump()
        #expect(pair.serverEvents.last == .paused(.beforeResponse))
        pair.note(pair.server.continueHandshake(), atServer: true)
        pair.pump()
        #expect(pair.serverEvents.last == .paused(.beforeFinished))
        #expect(pair.clientInfo == nil)
        pair.note(pair.server.continueHandshake(), atServer: true)
        pair.pump()
        #expect(pair.serverInfo?.version == version)
        #expect(pair.clientInfo?.version == version)
        #expect(pair.server.continueHandshake().isEmpty)
    }
}
