import NIOCore

/// The last handler of a stream task's connection. It passes on received bytes and reads only on request.
final class StreamHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private weak var load: (any StreamReceiver)?
    /// The receiver after the task has ended. The strong reference keeps it alive while its streams are idle.
    private var captor: (any StreamReceiver)?
    private var context: ChannelHandlerContext?
    private var isReading = false

    /// Creates a handler without a receiver; `handOver` names one before the first event.
    init() {}

    init(_ load: any StreamReceiver) { self.load = load }

    private var receiver: (any StreamReceiver)? { captor ?? load }

    /// Passes all further events to another receiver.
    func handOver(to captor: any StreamReceiver) { self.captor = captor }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        captor = nil
    }

    func read() {
        guard let context, !isReading else { return }
        isReading = true
        context.read()
    }

    /// An accepted channel does not read before it is active, whatever was requested.
    func channelActive(context: ChannelHandlerContext) {
        isReading = false
        receiver?.readMore()
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { receiver?.received(unwrapInboundIn(data)) }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        receiver?.readMore()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed { receiver?.inputEnded() }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        receiver?.broke(TransportFailure(onConnection: error))
    }

    func channelInactive(context: ChannelHandlerContext) { receiver?.inputEnded() }
}

/// The receiver of a stream connection's events, on its event loop.
protocol StreamReceiver: AnyObject {
    func received(_ bytes: ByteBuffer)
    /// Requests more bytes if they are needed.
    func readMore()
    func inputEnded()
    func broke(_ failure: TransportFailure)
}
