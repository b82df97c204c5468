import Glibc
import NIOCore
import OpenSSLTLS

/// One of the two connections of a forwarded one. Data read from it is written to its partner, and the end of either
/// direction is passed on in the same form: FIN as FIN and RST as RST.
///
/// Both connections are on one event loop. Each reads only while its partner can write.
final class ForwardHalf: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var partner: ForwardHalf?
    private var context: ChannelHandlerContext?
    private var hasPendingRead = false
    private var isOver = false
    private var hasAgreed = false
    /// True if the connection is read before it has a partner: the TLS handshake then starts without one.
    private let readsAlone: Bool
    private let began: (ForwardHalf) -> Void
    private let agreed: (TLSInfo) -> Void
    private let failed: (any Error) -> Void

    /// `began` is called when the connection is established, `agreed` at the end of a TLS handshake, and `failed` for errors
    /// other than the peer's reset.
    init(
        readsAlone: Bool = false, began: @escaping (ForwardHalf) -> Void = { _ in },
        agreed: @escaping (TLSInfo) -> Void = { _ in }, failed: @escaping (any Error) -> Void
    ) {
        self.readsAlone = readsAlone
        self.began = began
        self.agreed = agreed
        self.failed = failed
    }

    /// Starts the flow of bytes between the two.
    static func join(_ left: ForwardHalf, _ right: ForwardHalf) {
        left.partner = right
        right.partner = left
        left.readOn()
        right.readOn()
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        partner = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        began(self)
        context.fireChannelActive()
    }

    // MARK: Bytes

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        partner?.context?.write(wrapOutboundOut(unwrapInboundIn(data)), promise: nil)
    }

    func channelReadComplete(context: ChannelHandlerContext) { partner?.context?.flush() }

    func read(context: ChannelHandlerContext) {
        let mayRead = partner.map { $0.context?.channel.isWritable == true } ?? readsAlone
        if mayRead { context.read() } else { hasPendingRead = true }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { partner?.readOn() }
    }

    private func readOn() {
        guard hasPendingRead else { return }
        hasPendingRead = false
        context?.read()
    }

    // MARK: Ends

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { partner?.close(.output) }
        if let handshake = event as? TLSHandshakeCompleted {
            hasAgreed = true
            agreed(handshake.info)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        isOver = true
        partner?.close(.all)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if error is IOError {
            partner?.reset()
            context.close(promise: nil)
        } else if let error = error as? TLSError {
            // The TLS handler sends its closing alert and closes by itself. An end without a closing alert is passed on
            // as one.
            if case .truncated = error { partner?.close(.all, sendsEnd: false) } else { failed(error) }
        } else if !(error is ChannelError) {
            failed(error)
            context.close(promise: nil)
        }
    }

    /// Closes after everything that was written: a plain close would discard the data that waits in the channel.
    private func close(_ mode: CloseMode, sendsEnd: Bool = true) {
        guard !isOver, let context else { return }
        // A handshake that waits for the host would keep a last write forever.
        if readsAlone, !hasAgreed { return reset() }
        if mode == .all { isOver = true }
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { _ in
            if !sendsEnd { context.triggerUserOutboundEvent(TLSCloseWithoutNotify(), promise: nil) }
            context.close(mode: mode, promise: nil)
        }
        context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(capacity: 0)), promise: written)
    }

    /// Closes with a RST: a linger time of zero makes `close` send one (tcp(7), SO_LINGER). Under TLS no closing alert
    /// is sent either.
    func reset() {
        guard !isOver, let context else { return }
        isOver = true
        guard let options = context.channel as? any SocketOptionProvider else {
            context.close(promise: nil)
            return
        }
        options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).assumeIsolated().whenComplete { _ in
            context.triggerUserOutboundEvent(TLSCloseWithoutNotify(), promise: nil)
            context.close(promise: nil)
        }
    }
}
