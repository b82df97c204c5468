import OpenSSLTLS
import Synchronization
import TLSTestKit
import Testing

/// Both ends are ours and only memory lies between them, so each byte and each event comes from the state machine
/// itself.
struct TLSConnectionTests {
    @Test(arguments: TLSVersion.allCases)
    func `both sides negotiate the only version offered`(version: TLSVersion) throws {
        let pair = try ConnectionPair(versions: TLSVersionRange(minimum: version, maximum: version))
        pair.pump()
        let server = try #require(pair.serverInfo, "server: \(pair.serverEvents), client: \(pair.clientEvents)")
        let client = try #require(pair.clientInfo)
        #expect(server.version == version)
        #expect(client.version == version)
        #expect(server.cipher == client.cipher)
        #expect(!server.isResumed)
        try pair.client.send(Array("question".utf8))
        pair.pump()
        try pair.server.send(Array("answer".utf8))
        pair.pump()
        #expect(ConnectionPair.plaintext(pair.serverEvents) == Array("question".utf8))
        #expect(ConnectionPair.plaintext(pair.clientEvents) == Array("answer".utf8))
    }

    @Test func `versions without overlap end in alert 70 for the client`() throws {
        let pair = try ConnectionPair(
            server: .server(
                ServerTLSOptions(
                    identity: ConnectionPair.identity(), versions: TLSVersionRange(minimum: .tls13, maximum: .tls13))),
            client: .client(
                ClientTLSOptions(
                    trust: ConnectionPair.trust(), versions: TLSVersionRange(minimum: .tls12, maximum: .tls12))))
        pair.pump()
        #expect(pair.clientError == .alertReceived(70))
        guard case .handshakeOrRecord(let reason, let alert) = pair.serverError else {
            Issue.record("unexpected events of the server: \(pair.serverEvents)")
            return
        }
        #expect(alert == 70)
        #expect(reason.contains("unsupported protocol"))
    }

    @Test func `a lowest version above the highest is rejected`() throws {
        let identity = try ConnectionPair.identity()
        #expect(throws: TLSError.self) {
            try TLSContext.server(
                ServerTLSOptions(identity: identity, versions: TLSVersionRange(minimum: .tls13, maximum: .tls12)))
        }
    }

    // MARK: Names and protocols

    @Test func `the server receives the name and the protocols before it replies`() throws {
        let pair = try ConnectionPair(
            server: .server(ServerTLSOptions(identity: ConnectionPair.identity(), alpn: ["h2", "http/1.1"])),
            client: .client(ClientTLSOptions(trust: ConnectionPair.trust(), alpn: ["spdy/3", "http/1.1", "h2"])),
            holds: [.beforeResponse])
        pair.pump()
        let hello = TLSClientHello(serverName: "origin.test", alpn: ["spdy/3", "http/1.1", "h2"])
        #expect(pair.serverEvents == [.clientHello(hello), .paused(.beforeResponse)])
        #expect(pair.clientEvents.isEmpty)
        pair.note(pair.server.continueHandshake(), atServer: true)
        pair.pump()
        #expect(pair.serverInfo?.serverName == "origin.test")
        // The server's preference wins.
        #expect(pair.serverInfo?.alpn == "h2")
        #expect(pair.clientInfo?.alpn == "h2")
    }

    @Test func `protocols without overlap end in alert 120`() throws {
        let pair = try ConnectionPair(
            server: .server(ServerTLSOptions(identity: ConnectionPair.identity(), alpn: ["h2"])),
            client: .client(ClientTLSOptions(trust: ConnectionPair.trust(), alpn: ["http/1.1"])))
        pair.pump()
        #expect(pair.clientError == .alertReceived(120))
    }

    @Test func `each name gets its own certificate`() throws {
        let other = try ConnectionPair.identity(names: ["b.test"], signer: .intermediate)
        let server = try TLSContext.server(
            ServerTLSOptions(
                identity: ConnectionPair.identity(names: ["a.test"]), identityForName: { $0 == "b.test" ? other : nil })
        )
        let client = try TLSContext.client(ClientTLSOptions(trust: ConnectionPair.trust()))
        for name in ["a.test", "b.test"] {
            let pair = try ConnectionPair(server: server, client: client, serverName: name)
            pair.pump()
            #expect(pair.clientInfo != nil, "\(name): \(pair.clientEvents)")
            #expect((pair.clientInfo?.peerCertificate == other.certificate) == (name == "b.test"))
        }
    }

    @Test func `an address is verified but not sent as a name`() throws {
        let pair = try ConnectionPair(
            server: .server(ServerTLSOptions(identity: ConnectionPair.identity(addresses: ["10.1.2.3", "fd00::1"]))),
            client: .client(ClientTLSOptions(trust: ConnectionPair.trust())), serverName: "fd00::1")
        pair.pump()
        #expect(pair.clientInfo != nil)
        #expect(pair.serverInfo?.serverName == nil)
    }

    // MARK: Trust

    /// X509_V_ERR numbers: 10 expired, 9 not yet valid, 18 self-signed, 20 no local issuer, 62 host name, 64 address.
    @Test(arguments: [
        (CertificateRequest.Signer.authority, CertificateValidity.expired, "origin.test", 10, UInt8(45)),
        (.authority, .notYetValid, "origin.test", 9, 42),
        (.itself, .current, "origin.test", 18, 48),
        (.authority, .current, "other.test", 62, 42),
        (.authority, .current, "10.9.9.9", 64, 42),
    ])
    func `an invalid certificate is rejected with its specific reason`(
        signer: CertificateRequest.Signer, validity: CertificateValidity, name: String, code: Int, alert: UInt8
    ) throws {
        let pair = try ConnectionPair(
            server: .server(
                ServerTLSOptions(
                    identity: ConnectionPair.identity(addresses: ["10.1.2.3"], validity: validity, signer: signer))),
            client: .client(ClientTLSOptions(trust: ConnectionPair.trust())), serverName: name)
        pair.pump()
        guard case .peerNotTrusted(_, let found) = pair.clientError else {
            Issue.record("unexpected events of the client: \(pair.clientEvents)")
            return
        }
        #expect(found == code)
        #expect(pair.serverError == .alertReceived(alert))
    }

    @Test func `an unknown authority is rejected, except by a client that trusts everyone`() throws {
        let stranger = try CertificateAuthority.make(commonName: "Stranger")
        let server = try TLSContext.server(
            ServerTLSOptions(
                identity: stranger.issue(CertificateRequest(commonName: "origin.test", dnsNames: ["origin.test"]))))
        let strict = try ConnectionPair(
            server: server, client: .client(ClientTLSOptions(trust: ConnectionPair.trust())))
        strict.pump()
        guard case .peerNotTrusted(_, 20) = strict.clientError else {
            Issue.record("unexpected events of the client: \(strict.clientEvents)")
            return
        }
        #expect(strict.serverError == .alertReceived(48))
        let lax = try ConnectionPair(server: server, client: .client(ClientTLSOptions(trust: .everyone)))
        lax.pump()
        #expect(lax.clientInfo != nil)
    }

    @Test func `a required client certificate is presented, and its absence causes alert 116`() throws {
        let server = try TLSContext.server(
            ServerTLSOptions(
                identity: ConnectionPair.identity(),
                clientCertificates: .required(roots: ConnectionPair.authority.get().certificatePEM)))
        let mine = try ConnectionPair.identity(names: ["someone"], usage: .client)
        let with = try ConnectionPair(
            server: server, client: .client(ClientTLSOptions(trust: ConnectionPair.trust(), identity: mine)))
        with.pump()
        #expect(with.serverInfo?.peerCertificate == mine.certificate)
        let without = try ConnectionPair(
            server: server, client: .client(ClientTLSOptions(trust: ConnectionPair.trust())))
        without.pump()
        #expect(without.serverInfo == nil)
        // In TLS 1.3 the client has finished before the server notices the missing certificate (RFC 8446 §4.4.2.4).
        #expect(without.clientError == .alertReceived(116))
    }

    @Test func `a requested client certificate may be from anyone or absent`() throws {
        let server = try TLSContext.server(
            ServerTLSOptions(identity: ConnectionPair.identity(), clientCertificates: .requested(roots: nil)))
        let mine = try ConnectionPair.identity(names: ["someone"], signer: .itself, usage: .client)
        for identity in [mine, nil] {
            let pair = try ConnectionPair(
                server: server, client: .client(ClientTLSOptions(trust: ConnectionPair.trust(), identity: identity)))
            pair.pump()
            #expect(pair.serverInfo != nil)
            #expect(pair.serverInfo?.peerCertificate == identity?.certificate)
        }
    }

    // MARK: Key log and tickets

    @Test(arguments: [
        (
            TLSVersion.tls13,
            Set([
                "CLIENT_HANDSHAKE_TRAFFIC_SECRET", "SERVER_HANDSHAKE_TRAFFIC_SECRET", "CLIENT_TRAFFIC_SECRET_0",
                "SERVER_TRAFFIC_SECRET_0", "EXPORTER_SECRET",
            ])
        ),
        (.tls12, Set(["CLIENT_RANDOM"])),
    ])
    func `both sides log the same keys under the labels of their version`(version: TLSVersion, labels: Set<String>)
        throws
    {
        let lines = LineBox()
        let clientLines = LineBox()
        let versions = TLSVersionRange(minimum: version, maximum: version)
        let pair = try ConnectionPair(
            server: .server(
                ServerTLSOptions(identity: ConnectionPair.identity(), versions: versions, keyLog: { lines.add($0) })),
            client: .client(
                ClientTLSOptions(trust: ConnectionPair.trust(), versions: versions, keyLog: { clientLines.add($0) })))
        pair.pump()
        #expect(Set(lines.all.map { String($0.prefix { $0 != " " }) }) == labels)
        #expect(Set(lines.all) == Set(clientLines.all))
        for line in lines.all {
            let parts = line.split(separator: " ")
            #expect(parts.count == 3)
            #expect(parts[1].count == 64)
            #expect(parts[2].allSatisfy { $0.isHexDigit })
        }
    }

    @Test(arguments: [true, false])
    func `the server sends tickets only if they are enabled`(tickets: Bool) throws {
        let client = try TLSConnection(
            client: .client(ClientTLSOptions(trust: ConnectionPair.trust())), serverName: ConnectionPair.name)
        let server = try TLSConnection(
            server: .server(ServerTLSOptions(identity: ConnectionPair.identity(), sessionTickets: tickets)))
        _ = client.start()
        _ = server.receive(client.drainCiphertext())
        _ = client.receive(server.drainCiphertext())
        _ = server.receive(client.drainCiphertext())
        #expect(server.isEstablished)
        // After the client's Finished a TLS 1.3 server writes only tickets (RFC 8446 §4.6.1).
        #expect(server.drainCiphertext().isEmpty != tickets)
    }

    // MARK: Data

    @Test(arguments: [TLSVersion.tls12, .tls13])
    func `a mebibyte arrives byte for byte in pieces of any size`(version: TLSVersion) throws {
        // Each byte depends on its offset, so a lost, duplicated or moved byte is detected.
        let sent = (0..<1_048_576).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8 &* 7) }
        let pair = try ConnectionPair(versions: TLSVersionRange(minimum: version, maximum: version))
        pair.pump()
        try pair.server.send(sent)
        let wire = pair.server.drainCiphertext()
        var rest = wire[...]
        var size = 1
        while !rest.isEmpty {
            pair.note(pair.client.receive(Array(rest.prefix(size))), atServer: false)
            rest = rest.dropFirst(size)
            size = size * 3 % 40_009
        }
        #expect(ConnectionPair.plaintext(pair.clientEvents) == sent)
    }

    /// A record of AES-GCM or ChaCha20 costs 5 + 1 + 16 bytes in TLS 1.3 and carries up to 16,384: the count excludes
    /// plaintext that is held back or sent early.
    @Test(arguments: [1, 100, 16_384, 16_385, 65_536])
    func `n bytes sent make exactly the records of n bytes`(count: Int) throws {
        let pair = try ConnectionPair(versions: TLSVersionRange(minimum: .tls13, maximum: .tls13))
        pair.pump()
        try pair.server.send([UInt8](repeating: 7, count: count))
        let wire = pair.server.drainCiphertext()
        #expect(wire.count == count + (count + 16_383) / 16_384 * 22)
        #expect(pair.server.drainCiphertext().isEmpty)
        pair.note(pair.client.receive(Array(wire.dropLast())), atServer: false)
        let whole = (count - 1) / 16_384 * 16_384
        #expect(ConnectionPair.plaintext(pair.clientEvents).count == whole)
        pair.note(pair.client.receive(Array(wire.suffix(1))), atServer: false)
        #expect(ConnectionPair.plaintext(pair.clientEvents).count == count)
    }

    @Test func `nothing can be sent before the handshake or after close_notify`() throws {
        let pair = try ConnectionPair()
        #expect(throws: TLSError.self) { try pair.client.send([1]) }
        pair.pump()
        try pair.client.send([])
        #expect(pair.client.drainCiphertext().isEmpty)
        pair.client.closeNotify()
        #expect(throws: TLSError.self) { try pair.client.send([1]) }
    }

    // MARK: The end

    @Test func `close_notify ends one direction and leaves the other open`() throws {
        let pair = try ConnectionPair()
        pair.pump()
        try pair.server.send([1, 2, 3])
        pair.server.closeNotify()
        pair.pump()
        #expect(pair.clientEvents.suffix(2) == [.plaintext([1, 2, 3]), .closeNotify])
        #expect(pair.client.receiveEnd().isEmpty)
        try pair.client.send([4])
        pair.pump()
        #expect(ConnectionPair.plaintext(pair.serverEvents) == [4])
    }

    @Test func `an end without close_notify is reported as a truncation once`() throws {
        let pair = try ConnectionPair()
        pair.pump()
        try pair.server.send([1, 2, 3])
        pair.pump()
        #expect(pair.client.receiveEnd() == [.failed(.truncated)])
        #expect(pair.client.receiveEnd().isEmpty)
    }

    @Test func `a changed byte on the wire ends the connection`() throws {
        let pair = try ConnectionPair()
        pair.pump()
        try pair.server.send([1, 2, 3])
        var wire = pair.server.drainCiphertext()
        wire[wire.count - 1] ^= 1
        guard case .failed(.handshakeOrRecord(let reason, let alert)) = pair.client.receive(wire).last else {
            Issue.record("the change was not detected")
            return
        }
        #expect(alert == 20)
        #expect(reason.contains("bad record mac"))
        pair.pump()
        #expect(pair.serverError == .alertReceived(20))
    }

    @Test func `the reason of a failure does not include an older one`() throws {
        let pair = try ConnectionPair()
        guard
            case .failed(.handshakeOrRecord(let reason, _)) = pair.server.receive(Array("GET / HTTP/1.1\r\n\r\n".utf8))
                .last
        else {
            Issue.record("plain HTTP was accepted as TLS")
            return
        }
        #expect(reason.contains("http request"))
        #expect(!reason.contains("; "))
    }

    @Test func `every connection releases its SSL object, regardless of its end`() throws {
        let server = try TLSContext.server(ServerTLSOptions(identity: ConnectionPair.identity()))
        let client = try TLSContext.client(ClientTLSOptions(trust: ConnectionPair.trust()))
        do {
            let complete = try ConnectionPair(server: server, client: client)
            complete.pump()
            let held = try ConnectionPair(server: server, client: client, holds: [.beforeResponse])
            held.pump()
            let refused = try ConnectionPair(server: server, client: client, serverName: "other.test")
            refused.pump()
            #expect(server.openConnections == 3)
            #expect(client.openConnections == 3)
        }
        #expect(server.openConnections == 0)
        #expect(client.openConnections == 0)
        #expect(throws: TLSError.self) { try TLSConnection(client: client, serverName: nil) }
        #expect(throws: TLSError.self) { try TLSConnection(client: server, serverName: "origin.test") }
        #expect(client.openConnections == 0)
    }
}

/// Lines in the order of their arrival, from any thread.
final class LineBox: Sendable {
    private let lines = Mutex<[String]>([])

    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
}
