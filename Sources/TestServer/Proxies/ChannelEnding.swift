import NIOCore

/// Ends a channel after everything written before: a plain close discards bytes that still wait in the channel.
enum ChannelEnding {
    private static let poll: TimeAmount = .milliseconds(2)
    private static let timeout = 2_500

    static func finish(_ context: ChannelHandlerContext) {
        behind(context) { context.close(mode: .output, promise: nil) }
    }

    static func close(_ context: ChannelHandlerContext) { behind(context) { context.close(promise: nil) } }

    /// A RST makes the peer drop unread bytes, so the bytes before it get time to arrive; at most five seconds.
    static func reset(_ context: ChannelHandlerContext, _ edge: SocketEdge) {
        behind(context) { resetWhenAcknowledged(context, edge, turns: timeout) }
    }

    private static func resetWhenAcknowledged(_ context: ChannelHandlerContext, _ edge: SocketEdge, turns: Int) {
        edge.countUnacknowledged { bytes in
            guard bytes > 0, turns > 0 else {
                edge.reset()
                return
            }
            context.eventLoop.assumeIsolated().scheduleTask(in: poll) {
                resetWhenAcknowledged(context, edge, turns: turns - 1)
            }
        }
    }

    private static func behind(_ context: ChannelHandlerContext, _ then: @escaping () -> Void) {
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { _ in then() }
        context.writeAndFlush(NIOAny(context.channel.allocator.buffer(capacity: 0)), promise: written)
    }
}
