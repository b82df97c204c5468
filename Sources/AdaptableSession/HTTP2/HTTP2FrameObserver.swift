import NIOCore

/// The handler before the HTTP/2 handler: reports the frames that this side sends, and ends a connection on which the
/// server sends too many frames that do not advance an exchange.
final class HTTP2FrameObserver: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// GOAWAY with ENHANCE_YOUR_CALM (RFC 9113 §7) and the last stream 0: none of the server's streams was processed.
    private static let calm: [UInt8] = [0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 11]

    private var frames = HTTP2SentFrames()
    private(set) var received: HTTP2ReceivedFrames
    private var hasFailed = false
    private let observer: (HTTP2SentFrames.Frame) -> Void
    private let fail: (TransportFailure) -> Void

    init(
        _ received: HTTP2ReceivedFrames, _ observer: @escaping (HTTP2SentFrames.Frame) -> Void,
        fail: @escaping (TransportFailure) -> Void
    ) {
        self.received = received
        self.observer = observer
        self.fail = fail
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if hasFailed { return }
        guard let fault = received.received(unwrapInboundIn(data).readableBytesView, now: MonotonicTime.now()) else {
            return context.fireChannelRead(data)
        }
        hasFailed = true
        fail(.malformed(FailureReason(fault)))
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(ByteBuffer(bytes: Self.calm))), promise: nil)
        HTTP2Connection.close(context.channel)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .byteBuffer(let bytes) = unwrapOutboundIn(data) {
            received.sent(bytes.readableBytes)
            for word in frames.sent(bytes.readableBytesView) {
                if case .reset(let stream, _) = word { received.ended(stream: stream) }
                observer(word)
            }
        }
        context.write(data, promise: promise)
    }
}
