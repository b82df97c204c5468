import ScenarioLanguage
import Glibc
import NIOCore
import NIOPosix
import OpenSSLTLS
import Record

/// The NIO handler around a `ProxyMachine`: both sides' bytes, timers and ends in, actions out.
final class ProxyConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let proxyContext: ProxyContext
    private let edge: SocketEdge
    private var machine: ProxyMachine?
    private var context: ChannelHandlerContext?
    private var target: ProxyTargetHandler?
    private var queue: [ProxyInput] = []
    private var isRunning = false
    private var wasReset = false
    private var wantsClient = true
    private var wantsTarget = true
    private var timers: [ProxyTimer: Scheduled<Void>] = [:]

    init(proxyContext: ProxyContext, edge: SocketEdge) {
        self.proxyContext = proxyContext
        self.edge = edge
    }

    // MARK: - The client's side

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        for timer in timers.values { timer.cancel() }
        timers.removeAll()
    }

    func channelActive(context: ChannelHandlerContext) {
        guard machine == nil else { return }
        guard !proxyContext.isStopped else {
            edge.close()
            return
        }
        machine = ProxyMachine(number: proxyContext.register(self), name: proxyContext.state.plan.name)
        let peer = context.remoteAddress
        submit(.opened(client: peer?.ipAddress ?? "unknown", port: peer?.port ?? 0))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { submit(.bytes(.uplink, unwrapInboundIn(data))) }

    func channelInactive(context: ChannelHandlerContext) {
        submit(.gone(.uplink, isReset: wasReset))
        if let machine { proxyContext.unregister(machine.number) }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        target?.setReading(wantsTarget && context.channel.isWritable)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let handshake = event as? TLSHandshakeCompleted {
            submit(.secured(version: handshake.info.version.rawValue, serverName: handshake.info.serverName))
        } else if event as? ChannelEvent == .inputClosed {
            submit(.ended(.uplink))
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if SocketFailure.isReset(error) { wasReset = true }
        if let failure = error as? TLSError { submit(.handshakeFailed("\(failure)")) }
    }

    // MARK: - The target's side

    func targetReceived(_ input: ProxyInput) { submit(input) }

    func targetWritabilityChanged(_ isWritable: Bool) { setClientReading(wantsClient && isWritable) }

    /// Passes an event of the whole proxy to the machine.
    func report(_ input: ProxyInput) { submit(input) }

    /// Ends the connection immediately, in any state.
    func end() -> [any Channel] {
        let channels = [context?.channel, target?.channel].compactMap(\.self)
        edge.close()
        target?.edge.close()
        return channels
    }

    // MARK: - The machine

    private func submit(_ input: ProxyInput) {
        queue.append(input)
        guard !isRunning else { return }
        isRunning = true
        defer { isRunning = false }
        while !queue.isEmpty {
            let next = queue.removeFirst()
            let actions = machine?.handle(next, at: proxyContext.clock(), &proxyContext.state) ?? []
            for action in actions { perform(action) }
            context?.flush()
            target?.flush()
        }
    }

    private func perform(_ action: ProxyAction) {
        switch action {
        case .write(.downlink, let bytes): context?.write(wrapOutboundOut(bytes), promise: nil)
        case .write(.uplink, let bytes): target?.write(bytes)
        case .startTLS(let bytes): startTLS(bytes)
        case .dial(let place): dial(place)
        case .finish(.downlink): context.map { ChannelEnding.finish($0) }
        case .finish(.uplink): target?.context.map { ChannelEnding.finish($0) }
        case .close(.downlink): context.map { ChannelEnding.close($0) }
        case .close(.uplink): target?.context.map { ChannelEnding.close($0) }
        case .reset(.downlink): reset(context, edge)
        case .reset(.uplink): reset(target?.context, target?.edge)
        case .read(.uplink, let reads):
            wantsClient = reads
            setClientReading(reads && target?.isWritable != false)
        case .read(.downlink, let reads):
            wantsTarget = reads
            target?.setReading(reads && context?.channel.isWritable != false)
        case .start(let timer, let time): start(timer, at: time)
        case .record(let event): if let machine { proxyContext.record(event, machine.number) }
        }
    }

    private func reset(_ context: ChannelHandlerContext?, _ edge: SocketEdge?) {
        if let context, let edge { ChannelEnding.reset(context, edge) }
    }

    private func setClientReading(_ reads: Bool) {
        guard let channel = context?.channel else { return }
        channel.setOption(.autoRead, value: reads).whenFailure { _ in }
        if reads { channel.read() }
    }

    private func startTLS(_ bytes: ByteBuffer) {
        guard let context, let tls = proxyContext.tls else { return }
        do {
            let pipeline = context.pipeline.syncOperations
            try pipeline.addHandler(try TLSServerHandler(context: tls), position: .before(self))
            guard bytes.readableBytes > 0 else { return }
            // The first handler of the pipeline is the edge, which passes them on to TLS.
            pipeline.fireChannelRead(NIOAny(bytes))
            pipeline.fireChannelReadComplete()
        } catch {
            submit(.handshakeFailed("\(error)"))
        }
    }

    private func dial(_ place: ProxyTarget) {
        guard let context else { return }
        let loop = context.eventLoop
        proxyContext.dial(place, on: loop).assumeIsolated().whenComplete { result in
            switch result {
            case .success(.success(let connection)): self.adopt(connection, loop)
            case .success(.failure(let error)): self.submit(.dialed(.failure(error)))
            // The threads are missing only in a proxy that is being stopped.
            case .failure: self.edge.close()
            }
        }
    }

    private func adopt(_ connection: ProxyConnection, _ loop: any EventLoop) {
        guard context != nil, !proxyContext.isStopped else {
            UnusedSocket.close(connection.descriptor)
            return
        }
        let handler = ProxyTargetHandler(edge: SocketEdge(), client: self)
        let bound = NIOLoopBound(handler, eventLoop: loop)
        ClientBootstrap(group: loop)
            .channelOption(.allowRemoteHalfClosure, value: true)
            // Nothing is read before the machine knows of the connection.
            .channelOption(.autoRead, value: false)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(bound.value.edge, bound.value)
                }
            }
            .withConnectedSocket(connection.descriptor).assumeIsolated().whenComplete { result in
                switch result {
                case .success:
                    self.target = handler
                    self.submit(.dialed(.success(connection)))
                    handler.setReading(self.wantsTarget && self.context?.channel.isWritable != false)
                case .failure:
                    let place = SocketAddressFormat.of(connection.remoteAddress, connection.remotePort)
                    self.submit(.dialed(.failure(.unreachable(place))))
                }
            }
    }

    private func start(_ timer: ProxyTimer, at time: Int64) {
        guard let context else { return }
        timers[timer]?.cancel()
        timers[timer] = context.eventLoop.assumeIsolated().scheduleTask(
            in: .nanoseconds(max(0, time - proxyContext.clock()))
        ) {
            self.timers[timer] = nil
            self.submit(.timer(timer))
        }
    }
}

/// Classifies an error of a socket.
enum SocketFailure {
    static func isReset(_ error: any Error) -> Bool {
        guard let failure = error as? IOError else { return false }
        return failure.errnoCode == ECONNRESET || failure.errnoCode == EPIPE
    }
}
