import COpenSSL
import Testing

@testable import OpenSSLTLS

/// A server that keeps a client busy without sending it any data. A megabyte is more than any handshake needs.
@Suite struct UnproductiveRecordsTests {
    private let limit = 1 << 20

    /// Ciphertext that the server makes for each call, until the client has failed or has taken far too much.
    private func taken(_ pair: ConnectionPair, _ next: () -> [UInt8]) -> Int {
        var count = 0
        while pair.clientError == nil, count < 4 * limit {
            let bytes = next()
            count += bytes.count
            pair.note(pair.client.receive(bytes), atServer: false)
            _ = pair.client.takeCiphertext()
        }
        return count
    }

    private func expectRefusal(_ pair: ConnectionPair, _ count: Int) {
        // The handshake counts too.
        #expect(count > limit - 20_000 && count < limit + 100_000)
        guard case .handshakeOrRecord = pair.clientError else {
            Issue.record("\(String(describing: pair.clientError))")
            return
        }
    }

    @Test func `Key updates without an end are given up`() throws {
        let pair = try ConnectionPair(versions: TLSVersionRange(minimum: .tls13, maximum: .tls13))
        pair.pump()
        #expect(pair.clientInfo != nil)
        let count = taken(pair) {
            for _ in 0..<100 {
                unsafe #expect(SSL_key_update(pair.server.ssl, SSL_KEY_UPDATE_NOT_REQUESTED) == 1)
                unsafe #expect(SSL_do_handshake(pair.server.ssl) == 1)
            }
            return pair.server.takeCiphertext()
        }
        expectRefusal(pair, count)
    }

    @Test func `Tickets without an end are given up`() throws {
        let pair = try ConnectionPair(versions: TLSVersionRange(minimum: .tls13, maximum: .tls13))
        pair.pump()
        let count = taken(pair) {
            for _ in 0..<20 {
                unsafe #expect(SSL_new_session_ticket(pair.server.ssl) == 1)
                unsafe #expect(SSL_do_handshake(pair.server.ssl) == 1)
            }
            return pair.server.takeCiphertext()
        }
        expectRefusal(pair, count)
    }

    /// What comes while the caller decides about the server is kept for later.
    @Test func `What comes while the caller is asked is not kept without an end`() throws {
        var options = ClientTLSOptions(trust: try ConnectionPair.trust())
        options.judgesPeer = true
        let pair = try ConnectionPair(
            server: .server(ServerTLSOptions(identity: try ConnectionPair.identity())), client: .client(options))
        pair.pump()
        let count = taken(pair) { [UInt8](repeating: 23, count: 16_384) }
        expectRefusal(pair, count)
    }

    @Test func `A long transfer with data in it goes on`() throws {
        let pair = try ConnectionPair()
        pair.pump()
        var received = 0
        for _ in 0..<100 {
            try pair.server.send([UInt8](repeating: 1, count: 50_000))
            for case .plaintext(let bytes) in pair.client.receive(pair.server.takeCiphertext()) { received += bytes.count }
        }
        #expect(received == 5_000_000)
        #expect(pair.clientError == nil)
    }
}
