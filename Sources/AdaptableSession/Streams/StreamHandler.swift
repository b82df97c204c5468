import NIOCore

/// The last handler of a stream task's connection: hands on what comes, and reads only while it is welcome.
final class StreamHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private unowned let load: StreamLoad
    private var context: ChannelHandlerContext?
    private var isReading = false

    init(_ load: StreamLoad) { self.load = load }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func read() {
        guard let context, !isReading else { return }
        isReading = true
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { load.received(unwrapInboundIn(data)) }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        load.readMore()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed { load.inputEnded() }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { load.broke(TransportFailure(onConnection: error)) }

    func channelInactive(context: ChannelHandlerContext) { load.inputEnded() }
}
