import OpenSSLTLS
import TLSTestKit
import Testing

/// A client that requests a response gets exactly the stapled bytes; one that does not request it gets none.
struct OCSPResponseTests {
    @Test(arguments: OCSPStatus.allCases)
    func `a stapled response reaches the client that requests it`(status: OCSPStatus) throws {
        let identity = try ConnectionPair.identity()
        let response = try ConnectionPair.authority.get().ocspAnswer(for: identity, status)
        #expect(response.first == 0x30)
        for asks in [true, false] {
            var server = ServerTLSOptions(identity: identity)
            server.staple = response
            var client = ClientTLSOptions(trust: try ConnectionPair.trust())
            client.requestsStaple = asks
            let pair = try ConnectionPair(server: .server(server), client: .client(client))
            pair.pump()
            #expect(pair.clientInfo?.staple == (asks ? response : nil))
            #expect(pair.serverInfo?.earlyData == .notSent)
        }
    }

    @Test func `an authority signs responses for its own certificates only`() throws {
        let stranger = try CertificateAuthority.make(commonName: "Stranger")
        #expect(throws: TLSError.self) { try stranger.ocspAnswer(for: ConnectionPair.identity(), .good) }
    }
}
