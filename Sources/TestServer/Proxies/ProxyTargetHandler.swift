import Record
import NIOCore

/// The target's side of a proxied connection: passes every event to the client's side, which has the machine.
final class ProxyTargetHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    let edge: SocketEdge
    private var client: ProxyConnectionHandler?
    private(set) var context: ChannelHandlerContext?
    private var wasReset = false

    init(edge: SocketEdge, client: ProxyConnectionHandler) {
        self.edge = edge
        self.client = client
    }

    var channel: (any Channel)? { context?.channel }
    var isWritable: Bool { context?.channel.isWritable ?? true }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        client = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        client?.targetReceived(.bytes(.downlink, unwrapInboundIn(data)))
    }

    func channelInactive(context: ChannelHandlerContext) { client?.targetReceived(.gone(.downlink, isReset: wasReset)) }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        client?.targetWritabilityChanged(context.channel.isWritable)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { client?.targetReceived(.ended(.downlink)) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if SocketFailure.isReset(error) { wasReset = true }
    }

    func write(_ bytes: ByteBuffer) { context?.write(wrapOutboundOut(bytes), promise: nil) }

    func flush() { context?.flush() }

    func setReading(_ reads: Bool) {
        guard let channel = context?.channel else { return }
        channel.setOption(.autoRead, value: reads).whenFailure { _ in }
        if reads { channel.read() }
    }
}
