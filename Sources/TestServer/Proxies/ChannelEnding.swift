import NIOCore

/// Ends of a channel that come behind everything written before: a close throws away what still waits in the channel.
enum ChannelEnding {
    private static let poll: TimeAmount = .milliseconds(2)
    private static let timeout = 2_500

    static func finish(_ context: ChannelHandlerContext) {
        behind(context) { context.close(mode: .output, promise: nil) }
    }

    static func close(_ context: ChannelHandlerContext) { behind(context) { context.close(promise: nil) } }

    /// A RST makes the peer drop what it has not read, so the bytes before it get to arrive first; for five seconds at the most.
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
