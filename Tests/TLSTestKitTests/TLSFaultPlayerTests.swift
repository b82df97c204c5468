import NIOCore
import NIOEmbedded
import OpenSSLTLS
import Synchronization
import TLSTestKit
import Testing

/// Every fault at every breakpoint, between two embedded channels and with a clock that only the test advances.
struct TLSFaultPlayerTests {
    @Test func `a plan without faults is called once at every point`() throws {
        let asked = HoldBox()
        let pair = try ChannelPair { hold, hello in
            if hello.serverName == "origin.test" { asked.add(hold) }
            return nil
        }
        defer { pair.finish() }
        try pair.pump()
        #expect(asked.all == TLSBreakpoint.allCases)
        #expect(pair.serverNotes.info != nil)
        #expect(pair.clientNotes.info != nil)
    }

    @Test(arguments: TLSBreakpoint.allCases, [TLSVersion.tls12, .tls13])
    func `a stall sends nothing more and keeps the channel open`(point: TLSBreakpoint, version: TLSVersion) throws {
        let pair = try pair(point, .stall, version)
        defer { pair.finish() }
        try pair.pump()
        #expect(pair.server.isActive)
        #expect(pair.client.isActive)
        #expect(pair.clientNotes.info == nil)
        #expect(pair.serverNotes.order == ["hello"])
        #expect(pair.serverWire.isEmpty == (point == .beforeResponse))
    }

    @Test(arguments: TLSBreakpoint.allCases, [TLSVersion.tls12, .tls13])
    func `an alert reaches the client and the server closes`(point: TLSBreakpoint, version: TLSVersion) throws {
        let pair = try pair(point, .alert(49), version)
        defer { pair.finish() }
        try pair.pump()
        #expect(pair.clientNotes.errors == [.alertReceived(49)])
        #expect(!pair.server.isActive)
        #expect(pair.serverNotes.errors.isEmpty)
    }

    @Test(arguments: TLSBreakpoint.allCases)
    func `a reset is requested from the server and not performed here`(point: TLSBreakpoint) throws {
        let pair = try pair(point, .reset)
        defer { pair.finish() }
        try pair.pump()
        #expect(pair.serverNotes.resets == 1)
        #expect(pair.server.isActive)
        let before = pair.serverWire.count
        pair.server.close(promise: nil)
        try pair.pump()
        #expect(!pair.server.isActive)
        #expect(pair.serverWire.count == before)
    }

    @Test(arguments: TLSBreakpoint.allCases)
    func `garbage is sent unchanged and last`(point: TLSBreakpoint) throws {
        let garbage = Array("this is not TLS at all".utf8)
        let pair = try pair(point, .garbage(garbage))
        defer { pair.finish() }
        try pair.pump()
        #expect(pair.serverWire.suffix(garbage.count) == garbage[...])
        #expect((pair.serverWire.count == garbage.count) == (point == .beforeResponse))
        #expect(!pair.server.isActive)
        guard case .handshakeOrRecord = pair.clientNotes.errors.first else {
            Issue.record("unexpected errors of the client: \(pair.clientNotes.errors)")
            return
        }
    }

    @Test(arguments: TLSBreakpoint.allCases)
    func `a silent close is reported as a truncation in the handshake`(point: TLSBreakpoint) throws {
        let pair = try pair(point, .close)
        defer { pair.finish() }
        try pair.pump()
        #expect(!pair.server.isActive)
        #expect(pair.serverWire.isEmpty == (point == .beforeResponse))
        pair.client.pipeline.fireChannelInactive()
        #expect(pair.clientNotes.errors == [.truncated])
    }

    @Test(arguments: TLSBreakpoint.allCases)
    func `a pause lasts exactly its time and changes nothing else`(point: TLSBreakpoint) throws {
        let pair = try pair(point, .pause(.seconds(3)))
        defer { pair.finish() }
        try pair.pump()
        pair.server.embeddedEventLoop.advanceTime(by: .milliseconds(2_999))
        try pair.pump()
        #expect(pair.clientNotes.info == nil)
        pair.server.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        try pair.pump()
        #expect(pair.clientNotes.info != nil)
        #expect(pair.serverNotes.info != nil)
    }

    @Test(arguments: TLSBreakpoint.allCases)
    func `a half-close ends only our direction`(point: TLSBreakpoint) throws {
        let pair = try pair(point, .halfClose)
        defer { pair.finish() }
        let socket = HalfClosingSocket()
        try pair.server.pipeline.syncOperations.addHandler(socket, position: .first)
        try pair.pump()
        #expect(socket.order.last == "close output")
        #expect(pair.server.isActive)
        #expect(pair.serverWire.isEmpty == (point == .beforeResponse))
        pair.client.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(pair.clientNotes.errors == [.truncated])
    }

    @Test func `pipelines release their SSL objects`() throws {
        let context = try TLSContext.server(ServerTLSOptions(identity: ConnectionPair.identity()))
        for fault in [nil, TLSFault.stall, .close, .alert(40), .pause(.seconds(1))] {
            let channel = EmbeddedChannel(handler: try TLSServerHandler(context: context, faults: { _, _ in fault }))
            channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 443), promise: nil)
            let client = try TLSConnection(
                client: .client(ClientTLSOptions(trust: ConnectionPair.trust())), serverName: ConnectionPair.name)
            _ = client.start()
            try channel.writeInbound(ByteBuffer(bytes: client.drainCiphertext()))
            #expect(context.openConnections == 1)
            channel.embeddedEventLoop.advanceTime(by: .seconds(10))
            _ = try? channel.finish(acceptAlreadyClosed: true)
        }
        #expect(context.openConnections == 0)
    }

    private func pair(_ point: TLSBreakpoint, _ fault: TLSFault, _ version: TLSVersion = .tls13) throws -> ChannelPair {
        try ChannelPair(
            faults: { hold, _ in hold == point ? fault : nil },
            versions: TLSVersionRange(minimum: version, maximum: version))
    }
}

private final class HoldBox: Sendable {
    private let holds = Mutex<[TLSBreakpoint]>([])

    func add(_ hold: TLSBreakpoint) { holds.withLock { $0.append(hold) } }
    var all: [TLSBreakpoint] { holds.withLock { $0 } }
}
