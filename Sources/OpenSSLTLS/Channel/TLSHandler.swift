package import NIOCore

/// Reacts to a breakpoint of a server's handshake: with `continueHandshake`, now or later, or with `stop`.
package typealias TLSPauseReaction = (TLSBreakpoint, TLSHandler, ChannelHandlerContext) -> Void

/// A TLS connection in a pipeline: ciphertext towards the socket, plaintext towards the application.
///
/// Fires `TLSHandshakeCompleted` (servers before that `TLSClientHello`), `ChannelEvent.inputClosed` at the peer's close_notify, and
/// `TLSError` as an error, after which it closes the channel. A write's promise is completed by the write of its ciphertext.
package class TLSHandler: ChannelDuplexHandler {
    package typealias InboundIn = ByteBuffer
    package typealias InboundOut = ByteBuffer
    package typealias OutboundIn = ByteBuffer
    package typealias OutboundOut = ByteBuffer

    private enum Phase {
        case open
        /// The final alert or close_notify is being written; the channel closes after it.
        case closing
        /// The reaction to a pause took over, or the connection failed: reading and writing have stopped.
        case dead
    }

    private struct WaitingWrite {
        var bytes: ByteBuffer
        var promise: EventLoopPromise<Void>?
    }

    /// A peer that does not read must not keep a closed channel open indefinitely.
    package static let closeTimeout: TimeAmount = .seconds(2)

    private let connection: TLSConnection
    private let pauseReaction: TLSPauseReaction?
    private var phase = Phase.open
    private var waiting: [WaitingWrite] = []
    private var isFlushWaiting = false
    private var hasStarted = false
    private var hasInputClosed = false

    init(_ connection: TLSConnection, pauseReaction: TLSPauseReaction?) {
        self.connection = connection
        self.pauseReaction = pauseReaction
    }

    // MARK: Beginning and end

    package func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { start(context) }
    }

    package func channelActive(context: ChannelHandlerContext) {
        start(context)
        context.fireChannelActive()
    }

    private func start(_ context: ChannelHandlerContext) {
        if hasStarted { return }
        hasStarted = true
        handle(connection.start(), context)
    }

    package func channelInactive(context: ChannelHandlerContext) {
        inputEnded(context)
        phase = .dead
        failWaiting(ChannelError.ioOnClosedChannel)
        context.fireChannelInactive()
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        phase = .dead
        failWaiting(ChannelError.ioOnClosedChannel)
    }

    /// Handles the end of the transport. Without close_notify it is an error only if this side had not closed.
    private func inputEnded(_ context: ChannelHandlerContext) {
        guard case .open = phase else { return }
        for case .failed(let error) in connection.receiveEnd() { context.fireErrorCaught(error) }
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard let event = event as? ChannelEvent, event == .inputClosed else {
            context.fireUserInboundEventTriggered(event)
            return
        }
        // After close_notify the end of the transport adds no information.
        if hasInputClosed { return }
        hasInputClosed = true
        inputEnded(context)
        context.fireUserInboundEventTriggered(event)
    }

    // MARK: In

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let ciphertext = unwrapInboundIn(data)
        switch phase {
        case .open: handle(connection.receive(ciphertext.readableBytesSpan), context)
        case .closing, .dead: break
        }
    }

    private func handle(_ events: [TLSEvent], _ context: ChannelHandlerContext) {
        writeOut(context)
        for event in events {
            // The reaction to an event may have closed the channel.
            guard case .open = phase else { return }
            handle(event, context)
        }
    }

    private func handle(_ event: TLSEvent, _ context: ChannelHandlerContext) {
        switch event {
        case .clientHello(let said): context.fireUserInboundEventTriggered(said)
        case .paused(let breakpoint):
            if let pauseReaction { pauseReaction(breakpoint, self, context) } else { continueHandshake(context) }
        case .peerPresented(let peer): context.fireUserInboundEventTriggered(TLSPeerPresented(peer: peer))
        case .certificateRequested: context.fireUserInboundEventTriggered(TLSCertificateRequested())
        case .handshakeCompleted(let info):
            writeWaiting(context)
            context.fireUserInboundEventTriggered(TLSHandshakeCompleted(info: info))
        case .plaintext(let bytes):
            context.fireChannelRead(wrapInboundOut(context.channel.allocator.buffer(bytes: bytes)))
        case .closeNotify:
            if hasInputClosed { return }
            hasInputClosed = true
            context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        case .failed(let error):
            phase = .dead
            failWaiting(error)
            context.fireErrorCaught(error)
            // The alert was written before the events.
            closeBehind([], .all, context, promise: nil)
        }
    }

    // MARK: Pauses

    /// Continues a paused handshake; does nothing after the end of the connection.
    package func continueHandshake(_ context: ChannelHandlerContext) {
        guard case .open = phase else { return }
        handle(connection.continueHandshake(), context)
    }

    /// Stops reading and writing, and leaves the channel open.
    package func stop() { phase = .dead }

    // MARK: Out

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let write = WaitingWrite(bytes: unwrapOutboundIn(data), promise: promise)
        switch phase {
        case .open where connection.isEstablished: send(write, context)
        case .open: waiting.append(write)
        case .closing, .dead: promise?.fail(ChannelError.ioOnClosedChannel)
        }
    }

    package func flush(context: ChannelHandlerContext) {
        isFlushWaiting = !waiting.isEmpty
        context.flush()
    }

    private func send(_ write: WaitingWrite, _ context: ChannelHandlerContext) {
        do throws(TLSError) {
            try connection.send(write.bytes.readableBytesSpan)
            let ciphertext = context.channel.allocator.buffer(bytes: connection.drainCiphertext())
            context.write(wrapOutboundOut(ciphertext), promise: write.promise)
        } catch {
            write.promise?.fail(error)
        }
    }

    private func writeOut(_ context: ChannelHandlerContext) {
        let ciphertext = connection.drainCiphertext()
        if ciphertext.isEmpty { return }
        context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(bytes: ciphertext)), promise: nil)
    }

    private func writeWaiting(_ context: ChannelHandlerContext) {
        let writes = waiting
        waiting = []
        for write in writes { send(write, context) }
        if isFlushWaiting { context.flush() }
        isFlushWaiting = false
    }

    private func failWaiting(_ error: any Error) {
        let writes = waiting
        waiting = []
        for write in writes { write.promise?.fail(error) }
    }

    // MARK: Closing

    package func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        switch (mode, phase) {
        case (.input, _), (_, .closing), (_, .dead):
            context.close(mode: mode, promise: promise)
        case (.output, .open), (.all, .open):
            if mode == .all { phase = .closing }
            connection.closeNotify()
            failWaiting(ChannelError.ioOnClosedChannel)
            closeBehind(connection.drainCiphertext(), mode, context, promise: promise)
        }
    }

    package func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?)
    {
        switch event {
        case let event as TLSPeerEvaluated: process(connection.evaluatePeer(accepts: event.accepts), context, promise)
        case let event as TLSIdentityChosen: process(connection.present(event.identity), context, promise)
        case is TLSCloseWithoutNotify:
            phase = .dead
            failWaiting(ChannelError.ioOnClosedChannel)
            context.close(mode: .all, promise: promise)
        default: context.triggerUserOutboundEvent(event, promise: promise)
        }
    }

    private func process(_ events: [TLSEvent], _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        if case .open = phase { handle(events, context) }
        promise?.succeed(())
    }

    /// Sends `bytes` as they are, and closes after they and everything written before them have been sent, because a close
    /// discards data that still waits in the channel.
    package func closeBehind(
        _ bytes: [UInt8], _ mode: CloseMode, _ context: ChannelHandlerContext, promise: EventLoopPromise<Void>?
    ) {
        var isClosed = false
        let close = {
            if isClosed { return }
            isClosed = true
            context.close(mode: mode, promise: promise)
        }
        let loop = context.eventLoop.assumeIsolated()
        let patience = loop.scheduleTask(in: Self.closeTimeout) { close() }
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { _ in
            patience.cancel()
            close()
        }
        context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(bytes: bytes)), promise: written)
    }
}
