import NIOCore
import Scenario

/// One UDP socket of the name server.
final class NameDatagramHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>
    typealias OutboundOut = AddressedEnvelope<ByteBuffer>

    private let desk: NameDesk
    private var pending = PendingAnswers()

    init(_ desk: NameDesk) { self.desk = desk }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let query = unwrapInboundIn(data)
        switch desk.reply(to: query.data, from: query.remoteAddress, over: .udp) {
        case .answer(let bytes): send(bytes, to: query.remoteAddress, context)
        case .after(let delay, let bytes):
            pending.add(after: delay, on: context.eventLoop) { number in
                self.pending.remove(number)
                self.send(bytes, to: query.remoteAddress, context)
            }
        case .silent: break
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        pending.cancelAll()
        context.fireChannelInactive()
    }

    /// An unreachable client (ICMP comes back as an error of the socket) must not end the service for the others.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {}

    private func send(_ bytes: [UInt8], to client: SocketAddress, _ context: ChannelHandlerContext) {
        let envelope = AddressedEnvelope(remoteAddress: client, data: context.channel.allocator.buffer(bytes: bytes))
        context.writeAndFlush(wrapOutboundOut(envelope), promise: nil)
    }
}
