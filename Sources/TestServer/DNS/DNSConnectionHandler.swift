import Record
import Glibc
import NIOCore

/// One TCP connection to the name server: messages are preceded by their length (RFC 1035 §4.2.2), and replies are sent
/// as they become ready (RFC 7766 §6.2.1.1 lets replies overtake each other).
final class DNSConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let serverContext: DNSServerContext
    private var received = ByteBuffer()
    private var pending = DelayedReplies()
    private var isAdmitted = false
    /// True if a query got no reply: the connection stays open, because closing it would be a kind of reply.
    private var owesReply = false

    init(_ serverContext: DNSServerContext) { self.serverContext = serverContext }

    func channelActive(context: ChannelHandlerContext) {
        isAdmitted = serverContext.admit(context.channel)
        if isAdmitted { context.fireChannelActive() } else { context.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if isAdmitted { serverContext.leave(context.channel) }
        pending.cancelAll()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard isAdmitted else { return }
        var part = unwrapInboundIn(data)
        received.writeBuffer(&part)
        while let length = received.getInteger(at: received.readerIndex, as: UInt16.self) {
            guard length <= DNSServerContext.maximumQuery else {
                context.close(promise: nil)
                return
            }
            guard received.readableBytes >= 2 + Int(length) else { break }
            received.moveReaderIndex(forwardBy: 2)
            guard let query = received.readSlice(length: Int(length)) else { break }
            reply(query, context)
        }
        received.discardReadBytes()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent {
            if pending.isEmpty, !owesReply { context.close(promise: nil) }
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func reply(_ query: ByteBuffer, _ context: ChannelHandlerContext) {
        switch serverContext.reply(to: query, from: context.remoteAddress, over: .tcp, at: context.localAddress) {
        case .reply(let bytes): send(bytes, context)
        case .after(let delay, let bytes):
            pending.add(after: delay, on: context.eventLoop) { number in
                self.pending.remove(number)
                self.send(bytes, context)
            }
        case .silent: owesReply = true
        case .reset: reset(context)
        // Only a datagram can come from another address.
        case .fromElsewhere: owesReply = true
        }
    }

    /// Closes with a linger time of zero, which sends a RST.
    private func reset(_ context: ChannelHandlerContext) {
        guard let options = context.channel as? any SocketOptionProvider else {
            context.close(promise: nil)
            return
        }
        options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).assumeIsolated().whenComplete { _ in
            context.close(promise: nil)
        }
    }

    /// Writes length and message together (RFC 7766 §8).
    private func send(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        var buffer = context.channel.allocator.buffer(capacity: bytes.count + 2)
        buffer.writeInteger(UInt16(clamping: bytes.count))
        buffer.writeBytes(bytes)
        context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
    }
}
