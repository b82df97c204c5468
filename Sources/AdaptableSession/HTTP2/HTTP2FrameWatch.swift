import NIOCore

/// In front of the HTTP/2 handler: hears what that one sends.
final class HTTP2FrameWatch: ChannelOutboundHandler {
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private var frames = HTTP2SentFrames()
    private let hear: (HTTP2SentFrames.Word) -> Void

    init(_ hear: @escaping (HTTP2SentFrames.Word) -> Void) { self.hear = hear }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .byteBuffer(let bytes) = unwrapOutboundIn(data) { frames.sent(bytes.readableBytesView).forEach(hear) }
        context.write(data, promise: promise)
    }
}
