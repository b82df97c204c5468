import COpenSSL
import OpenSSLTLS
import Testing

/// A server that keeps a client busy without sending data. A megabyte is more than any handshake needs.
@Suite struct UnproductiveRecordsTests {
    private let limit = 1 << 20

    /// Sends the server's ciphertext from `next` until the client fails or has accepted far too much; returns the byte count.
    private func taken(_ pair: ConnectionPair, _ next: () -> [UInt8]) -> Int {
        var count = 0
        while pair.clientError == nil, count < 4 * limit {
            let bytes = next()
            count += bytes.count
            pair.note(pair.client.receive(bytes), atServer: false)
            _ = pair.client.drainCiphertext()
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

    @Test func `a client gives up on endless key updates`() throws {
        let pair = try ConnectionPair(versions: TLSVersionRange(minimum: .tls13, maximum: .tls13))
        pair.pump()
        #expect(pair.clientInfo != nil)
        let count = taken(pair) {
            for _ in 0..<100 {
                unsafe #expect(SSL_key_update(pair.server.ssl, SSL_KEY_UPDATE_NOT_REQUESTED) == 1)
                unsafe #expect(SSL_do_handshake(pair.server.ssl) == 1)
            }
            return pair.server.drainCiphertext()
        }
        expectRefusal(pair, count)
    }

    @Test func `a client gives up on endless tickets`() throws {
        let pair = try ConnectionPair(versions: TLSVersionRange(minimum: .tls13, maximum: .tls13))
        pair.pump()
        let count = taken(pair) {
            for _ in 0..<20 {
                unsafe #expect(SSL_new_session_ticket(pair.server.ssl) == 1)
                unsafe #expect(SSL_do_handshake(pair.server.ssl) == 1)
            }
            return pair.server.drainCiphertext()
        }
        expectRefusal(pair, count)
    }

    /// Data that arrives while the caller decides about the server is buffered.
    @Test func `data buffered during the caller's decision is limited`() throws {
        var options = ClientTLSOptions(trust: try ConnectionPair.trust())
        options.evaluatesPeer = true
        let pair = try ConnectionPair(
            server: .server(ServerTLSOptions(identity: try ConnectionPair.identity())), client: .client(options))
        pair.pump()
        let count = taken(pair) { [UInt8](repeating: 23, count: 16_384) }
        expectRefusal(pair, count)
    }

    @Test func `a long transfer with data continues`() throws {
        let pair = try ConnectionPair()
        pair.pump()
        var received = 0
        for _ in 0..<100 {
            try pair.server.send([UInt8](repeating: 1, count: 50_000))
            for case .plaintext(let bytes) in pair.client.receive(pair.server.drainCiphertext()) {
                received += bytes.count
            }
        }
        #expect(received == 5_000_000)
        #expect(pair.clientError == nil)
    }
}
