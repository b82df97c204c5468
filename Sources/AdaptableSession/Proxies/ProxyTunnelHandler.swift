import NIOCore

/// Opens a tunnel through a proxy on a connection to it, then removes itself from the pipeline.
///
/// Add it last on a connected channel (after the handlers of the proxy's own TLS, if it uses TLS). `done` adds the
/// handlers for the protocol inside the tunnel; bytes that arrived together with the proxy's response are passed to
/// them.
final class ProxyTunnelHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum Handshake {
        case connect(TunnelRequest, HeaderFields)
        case socks(SOCKSHandshake)
    }

    private enum Outcome {
        case send([UInt8])
        case established([UInt8])
        case failed(ProxyFailure)
    }

    private var handshake: Handshake
    private var hasBegun = false
    private var done: ((Result<Void, ProxyFailure>) -> Void)?

    /// `host` and `port` are the origin's; `fields` are sent with CONNECT (Proxy-Authorization, User-Agent).
    init(
        _ server: ProxyServer, host: String, port: Int, fields: HeaderFields = HeaderFields(),
        done: @escaping (Result<Void, ProxyFailure>) -> Void
    ) {
        switch server.kind {
        case .http, .https: handshake = .connect(TunnelRequest(host: host, port: port), fields)
        case .socks5:
            handshake = .socks(SOCKSHandshake(host: host, port: port, user: server.user, password: server.password))
        }
        self.done = done
    }

    func handlerAdded(context: ChannelHandlerContext) {
        guard context.channel.isActive else { return }
        begin(context)
    }

    func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Bytes may arrive between the proxy's response and this handler's removal; they belong to the origin.
        guard done != nil else { return context.fireChannelRead(data) }
        let bytes = Array(unwrapInboundIn(data).readableBytesView)
        let outcome: Outcome?
        switch handshake {
        case .connect(var request, let fields):
            outcome = request.received(bytes).map(Self.outcome)
            handshake = .connect(request, fields)
        case .socks(var socks):
            outcome = socks.received(bytes).map(Self.outcome)
            handshake = .socks(socks)
        }
        if let outcome { perform(outcome, context) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // The channel has automatic reading disabled.
        if done != nil { context.read() }
        context.fireChannelReadComplete()
    }

    func channelInactive(context: ChannelHandlerContext) {
        if done != nil {
            let outcome: Outcome?
            switch handshake {
            case .connect(var request, _): outcome = request.closed().map(Self.outcome)
            case .socks(var socks): outcome = socks.closed().map(Self.outcome)
            }
            perform(outcome ?? .failed(.failed("the connection to the proxy was closed")), context)
        }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard done != nil else { return context.fireErrorCaught(error) }
        perform(.failed(.failed("the connection to the proxy failed: \(ErrorDescription.description(error))")), context)
    }

    /// Starts the handshake once. Both `handlerAdded` and `channelActive` may call it, because a connect future may
    /// complete before `channelActive` is fired.
    private func begin(_ context: ChannelHandlerContext) {
        guard !hasBegun else { return }
        hasBegun = true
        switch handshake {
        case .connect(var request, let fields):
            let outcome = Self.outcome(request.begin(fields))
            handshake = .connect(request, fields)
            perform(outcome, context)
        case .socks(var socks):
            let outcome = Self.outcome(socks.begin())
            handshake = .socks(socks)
            perform(outcome, context)
        }
        if done != nil { context.read() }
    }

    private func perform(_ outcome: Outcome, _ context: ChannelHandlerContext) {
        switch outcome {
        case .send(let bytes): context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
        case .established(let rest):
            finish(.success(()))
            if !rest.isEmpty {
                context.fireChannelRead(wrapInboundOut(ByteBuffer(bytes: rest)))
                context.fireChannelReadComplete()
            }
            context.pipeline.syncOperations.removeHandler(self, promise: nil)
        case .failed(let failure): finish(.failure(failure))
        }
    }

    private func finish(_ result: Result<Void, ProxyFailure>) {
        let notify = done
        done = nil
        notify?(result)
    }

    private static func outcome(_ action: TunnelRequest.Action) -> Outcome {
        switch action {
        case .send(let bytes): .send(bytes)
        case .established(let rest): .established(rest)
        case .refused(let status, let fields, canRepeat: _): .failed(.refused(status: status, fields: fields))
        case .failed(let reason): .failed(.failed(reason))
        }
    }

    private static func outcome(_ action: SOCKSHandshake.Action) -> Outcome {
        switch action {
        case .send(let bytes): .send(bytes)
        case .established(let rest): .established(rest)
        case .failed(let failure): .failed(.socks(failure))
        }
    }
}
