import Record
import NIOCore

/// One UDP socket of the name server.
final class DNSDatagramHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>
    typealias OutboundOut = AddressedEnvelope<ByteBuffer>

    private let serverContext: DNSServerContext
    private var pending = DelayedReplies()

    init(_ serverContext: DNSServerContext) { self.serverContext = serverContext }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let query = unwrapInboundIn(data)
        let other = serverContext.otherSocket(than: context.channel)
        let decision = serverContext.reply(
            to: query.data, from: query.remoteAddress, over: .udp, at: context.localAddress,
            canReplyFromElsewhere: other != nil)
        switch decision {
        case .reply(let bytes): send(bytes, to: query.remoteAddress, context)
        case .after(let delay, let bytes):
            pending.add(after: delay, on: context.eventLoop) { number in
                self.pending.remove(number)
                self.send(bytes, to: query.remoteAddress, context)
            }
        case .fromElsewhere(let delay, let bytes):
            guard let other else { return }
            let client = query.remoteAddress
            pending.add(after: delay, on: context.eventLoop) { number in
                self.pending.remove(number)
                // Not through this pipeline: another channel, perhaps of another event loop, sends it.
                other.writeAndFlush(
                    AddressedEnvelope(remoteAddress: client, data: other.allocator.buffer(bytes: bytes)), promise: nil)
            }
        case .silent: break
        // Only a connection can be reset.
        case .reset: break
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        pending.cancelAll()
        context.fireChannelInactive()
    }

    /// An unreachable client (ICMP arrives as an error of the socket) must not end the service for the others.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {}

    private func send(_ bytes: [UInt8], to client: SocketAddress, _ context: ChannelHandlerContext) {
        let envelope = AddressedEnvelope(remoteAddress: client, data: context.channel.allocator.buffer(bytes: bytes))
        context.writeAndFlush(wrapOutboundOut(envelope), promise: nil)
    }
}
