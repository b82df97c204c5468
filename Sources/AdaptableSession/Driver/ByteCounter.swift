import NIOCore

/// Counts the bytes of HTTP that pass a connection in each direction, without the overhead of TLS.
final class ByteCounter: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    var received: Int64 = 0
    /// The part of `received` that the decoder has not parsed yet, while it passes on what it has parsed.
    var unparsed: Int64 = 0
    var parsed: Int64 { received - unparsed }
    var sent: Int64 = 0
    /// The part of `received` that is response heads, including those of informational responses.
    var receivedHeads: Int64 = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received += Int64(unwrapInboundIn(data).readableBytes)
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        sent += Int64(unwrapOutboundIn(data).readableBytes)
        context.write(data, promise: promise)
    }
}
