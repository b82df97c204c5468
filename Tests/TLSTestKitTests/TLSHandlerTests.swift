import NIOCore
import NIOEmbedded
import OpenSSLTLS
import Testing

/// Two embedded channels represent the two ends of a connection: no sockets, and a clock that only the test advances.
struct TLSHandlerTests {
    private func buffer(_ text: String) -> ByteBuffer { ByteBuffer(string: text) }

    @Test func `data written before the handshake arrives after it, in order`() throws {
        let pair = try ChannelPair()
        defer { pair.finish() }
        let promises = (0..<3).map { _ in pair.client.eventLoop.makePromise(of: Void.self) }
        pair.client.write(buffer("one "), promise: promises[0])
        pair.client.writeAndFlush(buffer("two "), promise: promises[1])
        #expect(!pair.client.embeddedEventLoop.isDone(promises[0]))
        try pair.pump()
        pair.client.writeAndFlush(buffer("three"), promise: promises[2])
        try pair.pump()
        for promise in promises { #expect(pair.client.embeddedEventLoop.isDone(promise)) }
        #expect(try pair.read(at: pair.server) == Array("one two three".utf8))
        #expect(pair.serverNotes.order == ["hello", "completed"])
        #expect(pair.serverNotes.hello?.serverName == "origin.test")
        #expect(pair.serverNotes.info?.version == .tls13)
        #expect(pair.clientNotes.order == ["completed"])
    }

    @Test func `a write's promise waits for the write of its ciphertext`() throws {
        let pair = try ChannelPair()
        defer { pair.finish() }
        try pair.pump()
        let promise = pair.server.eventLoop.makePromise(of: Void.self)
        pair.server.write(buffer("late"), promise: promise)
        #expect(!pair.server.embeddedEventLoop.isDone(promise))
        pair.server.flush()
        #expect(pair.server.embeddedEventLoop.isDone(promise))
        let before = pair.serverWire.count
        try pair.pump()
        // 5 + 1 + 16 bytes of record around the plaintext (RFC 8446 §5.2).
        #expect(pair.serverWire.count - before == 4 + 22)
    }

    @Test func `a close sends close_notify first`() throws {
        let pair = try ChannelPair()
        defer { pair.finish() }
        try pair.pump()
        pair.server.write(buffer("bye"), promise: nil)
        let closed = pair.server.eventLoop.makePromise(of: Void.self)
        pair.server.close(promise: closed)
        try pair.pump()
        #expect(pair.server.embeddedEventLoop.isDone(closed))
        #expect(!pair.server.isActive)
        #expect(try pair.read(at: pair.client) == Array("bye".utf8))
        pair.client.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        pair.client.pipeline.fireChannelInactive()
        #expect(pair.clientNotes.errors.isEmpty)
        #expect(pair.clientNotes.inputClosed == 1)
        #expect(pair.serverNotes.errors.isEmpty)
    }

    @Test func `the peer reports a close without close_notify as a truncation`() throws {
        let pair = try ChannelPair()
        defer { pair.finish() }
        try pair.pump()
        pair.server.writeAndFlush(buffer("bye"), promise: nil)
        try pair.pump()
        let before = pair.serverWire.count
        pair.server.triggerUserOutboundEvent(TLSCloseWithoutNotify(), promise: nil)
        try pair.pump()
        #expect(!pair.server.isActive)
        #expect(pair.serverWire.count == before)
        #expect(pair.serverNotes.errors.isEmpty)
        pair.client.pipeline.fireChannelInactive()
        #expect(pair.clientNotes.errors == [.truncated])
        #expect(pair.clientNotes.order.suffix(2) == ["error", "inactive"])
    }

    @Test func `half-closing the output leaves the input open`() throws {
        let pair = try ChannelPair()
        defer { pair.finish() }
        try pair.pump()
        let socket = HalfClosingSocket()
        try pair.server.pipeline.syncOperations.addHandler(socket, position: .first)
        pair.server.close(mode: .output, promise: nil)
        try pair.pump()
        #expect(socket.order == ["write", "close output"])
        #expect(pair.clientNotes.inputClosed == 1)
        #expect(pair.clientNotes.errors.isEmpty)
        pair.client.writeAndFlush(buffer("still here"), promise: nil)
        try pair.pump()
        #expect(try pair.read(at: pair.server) == Array("still here".utf8))
    }

    @Test func `a close waits for a peer that does not read, but only for a limited time`() throws {
        let pair = try ChannelPair()
        defer { pair.finish() }
        try pair.pump()
        try pair.server.pipeline.syncOperations.addHandler(StuckSocket(), position: .first)
        pair.server.close(promise: nil)
        pair.server.embeddedEventLoop.advanceTime(by: TLSHandler.closeTimeout - .nanoseconds(1))
        #expect(pair.server.isActive)
        pair.server.embeddedEventLoop.advanceTime(by: .nanoseconds(1))
        #expect(!pair.server.isActive)
    }

    @Test func `a second close does not wait`() throws {
        let pair = try ChannelPair()
        defer { pair.finish() }
        try pair.pump()
        try pair.server.pipeline.syncOperations.addHandler(StuckSocket(), position: .first)
        pair.server.close(promise: nil)
        #expect(pair.server.isActive)
        pair.server.close(promise: nil)
        #expect(!pair.server.isActive)
    }

    @Test func `a failed handshake fails pending writes and closes both channels`() throws {
        let pair = try ChannelPair(serverName: "other.test")
        defer { pair.finish() }
        let promise = pair.client.eventLoop.makePromise(of: Void.self)
        pair.client.writeAndFlush(buffer("secret"), promise: promise)
        try pair.pump()
        #expect(pair.client.embeddedEventLoop.error(of: promise) is TLSError)
        guard case .peerNotTrusted = pair.clientNotes.errors.first else {
            Issue.record("unexpected errors of the client: \(pair.clientNotes.errors)")
            return
        }
        #expect(pair.serverNotes.errors == [.alertReceived(42)])
        #expect(!pair.client.isActive)
        #expect(!pair.server.isActive)
        #expect(try pair.read(at: pair.server).isEmpty)
    }
}

/// A socket whose writes never complete, as towards a peer with a closed window.
private final class StuckSocket: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var stuck: [EventLoopPromise<Void>] = []

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if let promise { stuck.append(promise) }
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        for promise in stuck { promise.fail(ChannelError.ioOnClosedChannel) }
        stuck = []
        context.close(mode: mode, promise: promise)
    }
}

extension EmbeddedEventLoop {
    fileprivate func isDone(_ promise: EventLoopPromise<Void>) -> Bool {
        if case .success = result(of: promise) { true } else { false }
    }

    fileprivate func error(of promise: EventLoopPromise<Void>) -> (any Error)? {
        if case .failure(let error) = result(of: promise) { error } else { nil }
    }

    private func result(of promise: EventLoopPromise<Void>) -> Result<Void, any Error>? {
        var seen: Result<Void, any Error>?
        promise.futureResult.assumeIsolated().whenComplete { seen = $0 }
        run()
        return seen
    }
}
