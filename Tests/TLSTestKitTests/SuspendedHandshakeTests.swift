import OpenSSLTLS
import TLSTestKit
import Testing

/// A client's handshake that stops for decisions about the server and about the client's identity. Both versions,
/// because the order of messages differs in TLS 1.3.
struct SuspendedHandshakeTests {
    private static let versions: [TLSVersionRange] = [
        TLSVersionRange(minimum: .tls12, maximum: .tls12), TLSVersionRange(minimum: .tls13, maximum: .tls13),
    ]

    private func pair(
        _ versions: TLSVersionRange, server identity: ServerIdentity, clients: ClientCertificateMode = .none,
        requestsIdentity: Bool = false
    ) throws -> ConnectionPair {
        var options = ClientTLSOptions(trust: try ConnectionPair.trust(), versions: versions)
        options.evaluatesPeer = true
        options.requestsIdentity = requestsIdentity
        return try ConnectionPair(
            server: .server(ServerTLSOptions(identity: identity, versions: versions, clientCertificates: clients)),
            client: .client(options))
    }

    private func presented(_ pair: ConnectionPair) -> TLSPeer? {
        for case .peerPresented(let peer) in pair.clientEvents { return peer }
        return nil
    }

    /// Pumps again after the client continued by itself.
    private func proceed(_ pair: ConnectionPair, _ events: [TLSEvent]) {
        pair.note(events, atServer: false)
        pair.pump()
    }

    @Test(arguments: versions)
    func `a valid server is presented as valid, and the handshake waits for the decision`(versions: TLSVersionRange)
        throws
    {
        let identity = try ConnectionPair.identity()
        let pair = try pair(versions, server: identity)
        pair.pump()
        let peer = try #require(presented(pair))
        #expect(peer.failure == nil && peer.chain.first == identity.certificate)
        #expect(pair.clientInfo == nil && pair.serverInfo == nil)
        proceed(pair, pair.client.evaluatePeer(accepts: true))
        #expect(pair.clientInfo != nil && pair.serverInfo != nil)
        #expect(pair.clientEvents.filter { if case .peerPresented = $0 { true } else { false } }.count == 1)
    }

    @Test(arguments: versions)
    func `an invalid server is presented with its failure, and continues only if accepted`(versions: TLSVersionRange)
        throws
    {
        for accepts in [true, false] {
            let pair = try pair(versions, server: ConnectionPair.identity(names: ["other.test"]))
            pair.pump()
            guard case .peerNotTrusted(_, let code) = presented(pair)?.failure else {
                Issue.record("the wrong name was not detected")
                return
            }
            // X509_V_ERR_HOSTNAME_MISMATCH.
            #expect(code == 62)
            proceed(pair, pair.client.evaluatePeer(accepts: accepts))
            #expect((pair.clientInfo != nil) == accepts)
            guard !accepts else { continue }
            guard case .peerNotTrusted(_, 62) = pair.clientError, case .alertReceived = pair.serverError else {
                Issue.record("\(String(describing: pair.clientError)), \(String(describing: pair.serverError))")
                return
            }
        }
    }

    @Test(arguments: versions)
    func `a valid server that the application rejects is not trusted`(versions: TLSVersionRange) throws {
        let pair = try pair(versions, server: ConnectionPair.identity())
        pair.pump()
        proceed(pair, pair.client.evaluatePeer(accepts: false))
        guard case .peerNotTrusted = pair.clientError else {
            Issue.record("\(String(describing: pair.clientError))")
            return
        }
        #expect(pair.serverInfo == nil)
    }

    @Test(arguments: versions)
    func `the identity is requested after the decision and presented`(versions: TLSVersionRange) throws {
        let authority = try ConnectionPair.authority.get()
        let pair = try pair(
            versions, server: ConnectionPair.identity(), clients: .required(roots: authority.certificatePEM),
            requestsIdentity: true)
        pair.pump()
        #expect(!pair.clientEvents.contains(.certificateRequested))
        proceed(pair, pair.client.evaluatePeer(accepts: true))
        #expect(pair.clientEvents.contains(.certificateRequested) && pair.clientInfo == nil)
        let given = try ConnectionPair.identity(names: ["ann"], usage: .client)
        let read = try ServerIdentity.read(certificatePEM: given.certificatePEM(), privateKeyPEM: given.privateKeyPEM())
        #expect(read.certificate == given.certificate && read.privateKey == given.privateKey)
        proceed(pair, pair.client.present(read))
        #expect(pair.serverInfo?.peerCertificate == given.certificate)
    }

    @Test(arguments: versions)
    func `a server that only requests a certificate accepts none`(versions: TLSVersionRange) throws {
        let pair = try pair(
            versions, server: ConnectionPair.identity(), clients: .requested(roots: nil), requestsIdentity: true)
        pair.pump()
        proceed(pair, pair.client.evaluatePeer(accepts: true))
        proceed(pair, pair.client.present(nil))
        #expect(pair.serverInfo != nil && pair.serverInfo?.peerCertificate == nil)
    }

    @Test(arguments: versions)
    func `a server without a certificate request causes no request for an identity`(versions: TLSVersionRange) throws {
        let pair = try pair(versions, server: ConnectionPair.identity(), requestsIdentity: true)
        pair.pump()
        proceed(pair, pair.client.evaluatePeer(accepts: true))
        #expect(pair.clientInfo != nil && !pair.clientEvents.contains(.certificateRequested))
    }

    @Test func `an unrequested decision changes nothing`() throws {
        let pair = try pair(TLSVersionRange(), server: ConnectionPair.identity())
        #expect(pair.client.evaluatePeer(accepts: true).isEmpty && pair.client.present(nil).isEmpty)
        pair.pump()
        #expect(presented(pair) != nil && pair.clientInfo == nil)
    }

    @Test func `an unreadable identity is rejected with the allowed form`() throws {
        let identity = try ConnectionPair.identity()
        #expect(throws: TLSError.self) {
            _ = try ServerIdentity.read(certificatePEM: identity.certificatePEM(), privateKeyPEM: "nothing")
        }
        #expect(throws: TLSError.self) {
            _ = try ServerIdentity.read(certificatePEM: "", privateKeyPEM: identity.privateKeyPEM())
        }
    }
}
