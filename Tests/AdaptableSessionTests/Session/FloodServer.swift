import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// A hostile server on the loopback: responds to the first request of each connection with a prefix and then with the
/// same bytes repeatedly, until the client closes the connection or `limit` bytes were sent.
///
/// `sent` counts the bytes that the kernel has accepted. The client has read less by at most the socket buffers, so a
/// limit far above these shows whether the client stopped by itself.
final class FloodServer: Sendable {
    static let limit = 64 << 20

    private let channel: any Channel
    private let counter: Counter
    final class Counter: Sendable {
        let sent = Mutex(0)
    }

    let port: Int
    var sent: Int { counter.sent.withLock { $0 } }

    convenience init(prefix: String, repeated: String) async throws {
        try await self.init(prefix: Array(prefix.utf8), repeated: Array(repeated.utf8)) { !$0.isEmpty }
    }

    /// `hasAsked` is called with all bytes received on a connection and returns true when the flood may start.
    init(prefix: [UInt8], repeated: [UInt8], hasAsked: @escaping @Sendable ([UInt8]) -> Bool) async throws {
        let counter = Counter()
        self.counter = counter
        // Long pieces, so that the server does not limit the flood.
        let piece = ByteBuffer(bytes: (0..<max(1, 32_768 / repeated.count)).flatMap { _ in repeated })
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        FloodHandler(ByteBuffer(bytes: prefix), piece, counter, hasAsked))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        port = channel.localAddress?.port ?? 0
    }

    deinit { channel.close(promise: nil) }

    func url(_ path: String = "/") -> URL {
        guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else { fatalError("not a path: \(path)") }
        return url
    }
}

private final class FloodHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let prefix: ByteBuffer
    private let piece: ByteBuffer
    private let counter: FloodServer.Counter
    private let hasAsked: ([UInt8]) -> Bool
    private var received: [UInt8] = []
    private var hasBegun = false

    init(
        _ prefix: ByteBuffer, _ piece: ByteBuffer, _ counter: FloodServer.Counter,
        _ hasAsked: @escaping ([UInt8]) -> Bool
    ) {
        self.hasAsked = hasAsked
        self.prefix = prefix
        self.piece = piece
        self.counter = counter
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if hasBegun { return }
        received += unwrapInboundIn(data).readableBytesView
        guard hasAsked(received) else { return }
        hasBegun = true
        context.writeAndFlush(wrapOutboundOut(prefix), promise: nil)
        next(context)
    }

    /// Sends one piece at a time: the next one follows when the kernel has accepted this one.
    private func next(_ context: ChannelHandlerContext) {
        guard counter.sent.withLock({ $0 }) < FloodServer.limit else { return context.close(promise: nil) }
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenSuccess { [self] in
            counter.sent.withLock { $0 += piece.readableBytes }
            next(context)
        }
        context.writeAndFlush(wrapOutboundOut(piece), promise: written)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
