import ScenarioLanguage
import Glibc
import NIOCore
import OpenSSLTLS
import Record
import TLSTestKit

/// The NIO handler around a `ConnectionMachine`: bytes, timers and socket events in, actions out.
final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Inputs handled in a row before other connections continue.
    private static let turn = 32

    private let originContext: OriginContext
    private let edge: SocketEdge
    private let tls: TLSContext?
    private var machine: ConnectionMachine?
    private var context: ChannelHandlerContext?
    private var queue: [ConnectionInput] = []
    private var isRunning = false
    private var isScheduled = false
    private var wasReset = false
    private var timers: [ConnectionTimer: Scheduled<Void>] = [:]
    private var acknowledgements = Acknowledgements()
    private var acknowledgementPoll: Scheduled<Void>?

    init(originContext: OriginContext, edge: SocketEdge, tls: TLSContext?) {
        self.originContext = originContext
        self.edge = edge
        self.tls = tls
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        for timer in timers.values { timer.cancel() }
        timers.removeAll()
        acknowledgementPoll?.cancel()
        acknowledgementPoll = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        guard machine == nil else { return }
        guard !originContext.isStopped else {
            edge.close()
            return
        }
        machine = ConnectionMachine(number: originContext.register(self), isSecure: tls != nil)
        let peer = context.remoteAddress
        submit(.opened(client: peer?.ipAddress ?? "unknown", port: peer?.port ?? 0))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { submit(.bytes(unwrapInboundIn(data))) }

    /// Called for the last time before NIO closes the socket of a client that has closed first; its FIN acknowledges what
    /// the poll has not seen yet.
    func channelReadComplete(context: ChannelHandlerContext) {
        readAcknowledgements()
        context.fireChannelReadComplete()
    }

    func channelInactive(context: ChannelHandlerContext) {
        submit(.ended(isReset: wasReset))
        if let machine { originContext.unregister(machine.number) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let hello = event as? TLSClientHello, let machine {
            originContext.record(.tlsHello(connection: machine.number, serverName: hello.serverName, alpn: hello.alpn))
        } else if let handshake = event as? TLSHandshakeCompleted {
            if let machine {
                originContext.record(.tlsAgreed(connection: machine.number, TLSAgreement(handshake.info)))
            }
            submit(
                .secured(
                    version: handshake.info.version.rawValue, serverName: handshake.info.serverName,
                    alpn: handshake.info.alpn))
        } else if event as? ChannelEvent == .inputClosed {
            // TLS: the client sent close_notify. Clients of HTTP/1 send it when they close, not to half-close.
            readAcknowledgements()
            submit(.ended(isReset: false))
            context.close(promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        note(error)
        readAcknowledgements()
        guard let failure = error as? TLSError else { return }
        switch failure {
        case .alertReceived, .truncated: submit(.handshakeFailed("\(failure)", byClient: true))
        case .library, .invalid, .peerNotTrusted, .handshakeOrRecord, .notPossible:
            submit(.handshakeFailed("\(failure)", byClient: false))
        }
    }

    /// May be called on the event loop at any time, also from inside an action.
    func submit(_ input: ConnectionInput) {
        queue.append(input)
        if !isRunning { run() }
    }

    /// Ends the connection immediately, in any state.
    func end() -> (any Channel)? {
        let channel = context?.channel
        edge.close()
        return channel
    }

    private func run() {
        isRunning = true
        defer { isRunning = false }
        var handled = 0
        while !queue.isEmpty {
            guard handled < ConnectionHandler.turn else {
                runLater()
                return
            }
            handled += 1
            let input = queue.removeFirst()
            perform(originContext.handle(input, by: &machine))
        }
    }

    private func runLater() {
        guard !isScheduled, let context else { return }
        isScheduled = true
        context.eventLoop.assumeIsolated().execute {
            self.isScheduled = false
            if !self.isRunning { self.run() }
        }
    }

    private func perform(_ actions: [ConnectionAction]) {
        var hasWritten = false
        for action in actions {
            if hasWritten {
                // Every action except a write comes after the bytes before it have been written.
                if case .write = action {
                } else {
                    hasWritten = false
                    context?.flush()
                }
            }
            switch action {
            case .write(let content):
                write(content)
                hasWritten = true
            case .writeRaw(let bytes): edge.write(bytes) { self.recordWritten($0) }
            case .startTLS(let bytes): startTLS(bytes)
            case .finish(let closeNotify):
                if closeNotify { context?.close(mode: .output, promise: nil) } else { edge.finish() }
            case .close:
                readAcknowledgements()
                edge.close()
            case .reset:
                readAcknowledgements()
                edge.reset()
            case .read(let reads): setReading(reads)
            case .start(let timer, let time): start(timer, at: time)
            case .cancel(let timer): timers.removeValue(forKey: timer)?.cancel()
            case .countUnacknowledged: edge.countUnacknowledged { self.submit(.unacknowledged($0)) }
            case .record(let fact):
                originContext.record(fact)
                if case .responseBody(let request, let bytes) = fact { awaitAcknowledgement(request, bytes) }
            case .flood(let flood): originContext.report(flood)
            }
        }
        if hasWritten { context?.flush() }
    }

    /// TLS is inserted before this handler, and reads the ClientHello again as if from the socket.
    private func startTLS(_ bytes: ByteBuffer) {
        guard let context, let tls else { return }
        do {
            let pipeline = context.pipeline.syncOperations
            try pipeline.addHandler(
                try TLSServerHandler(context: tls, faults: handshakeFaults(context.eventLoop)), position: .before(self))
            pipeline.fireChannelRead(NIOAny(bytes))
            pipeline.fireChannelReadComplete()
        } catch {
            submit(.handshakeFailed("\(error)", byClient: false))
            edge.close()
        }
    }

    /// Returns nil when the plan has none: the handshake then completes without a stop.
    private func handshakeFaults(_ loop: any EventLoop) -> TLSFaultPlan? {
        guard originContext.state.faults.knows(.tlsFinished) else { return nil }
        let handler = NIOLoopBound(self, eventLoop: loop)
        return { hold, _ in handler.value.fault(at: hold) }
    }

    private func fault(at hold: TLSBreakpoint) -> TLSFault? {
        switch hold {
        case .beforeResponse:
            // The machine has applied its faults before TLS began.
            return nil
        case .beforeFinished:
            guard let machine else { return nil }
            let fired = originContext.state.faults.firing(
                at: .tlsFinished, FaultMatcher.FaultContext(connection: machine.number))
            guard !fired.isEmpty else { return nil }
            submit(.pausedBeforeFinished(fired))
            return TLSFault(beforeFinished: fired)
        }
    }

    private func recordWritten(_ result: Result<Void, any Error>) {
        switch result {
        case .success: submit(.written)
        case .failure(let error): note(error)
        }
    }

    private func write(_ content: ConnectionAction.Content) {
        guard let context else { return }
        var buffer: ByteBuffer
        switch content {
        case .bytes(let bytes):
            buffer = context.channel.allocator.buffer(bytes: bytes)
        case .pattern(let key, let from, let count):
            buffer = context.channel.allocator.buffer(capacity: count)
            PatternFiller.append(key: key, from: from, count: count, to: &buffer)
        }
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenComplete { self.recordWritten($0) }
        context.write(wrapOutboundOut(buffer), promise: promise)
    }

    private func setReading(_ reads: Bool) {
        guard let channel = context?.channel else { return }
        channel.setOption(.autoRead, value: reads).whenFailure { _ in }
        if reads { channel.read() }
    }

    private func start(_ timer: ConnectionTimer, at time: Int64) {
        guard let context else { return }
        timers[timer]?.cancel()
        timers[timer] = context.eventLoop.assumeIsolated().scheduleTask(
            in: .nanoseconds(max(0, time - originContext.clock()))
        ) {
            self.timers[timer] = nil
            self.submit(.timer(timer))
        }
    }

    private func note(_ error: any Error) {
        if let failure = error as? IOError, failure.errnoCode == ECONNRESET || failure.errnoCode == EPIPE {
            wasReset = true
        }
    }
}

/// Reads the bytes that the client's kernel has acknowledged, for the record.
extension ConnectionHandler {
    /// Rare enough that its cost is negligible beside the responses themselves.
    private static let leisurely = TimeAmount.milliseconds(5)
    private static let awaited = TimeAmount.milliseconds(1)

    private func awaitAcknowledgement(_ request: Int, _ bytes: Int64) {
        acknowledgements.expect(request: request, bytes: bytes, by: edge.written)
        pollAcknowledgements()
    }

    private func pollAcknowledgements() {
        guard acknowledgementPoll == nil, !acknowledgements.isEmpty, let context else { return }
        let pause =
            originContext.isAwaited(acknowledgements.breakpoints)
            ? ConnectionHandler.awaited : ConnectionHandler.leisurely
        acknowledgementPoll = context.eventLoop.assumeIsolated().scheduleTask(in: pause) {
            self.acknowledgementPoll = nil
            self.readAcknowledgements()
            self.pollAcknowledgements()
        }
    }

    private func readAcknowledgements() {
        guard !acknowledgements.isEmpty, let number = machine?.number else { return }
        edge.countAcknowledged { count in
            guard let count else { return }
            for (request, bytes) in self.acknowledgements.acknowledge(count) {
                self.originContext.record(.acknowledged(connection: number, request: request, bytes: bytes))
            }
        }
    }
}

extension TLSAgreement {
    fileprivate init(_ info: TLSInfo) {
        self.init(
            cipher: info.cipher, alpn: info.alpn, isResumed: info.isResumed, earlyData: EarlyData(info.earlyData),
            certificate: info.ownSubject, clientCertificate: info.peerSubject)
    }
}

extension TLSAgreement.EarlyData {
    fileprivate init(_ data: TLSEarlyData) {
        self =
            switch data {
            case .notSent: .notSent
            case .refused: .refused
            case .accepted: .accepted
            }
    }
}

extension TLSFault {
    /// The part of these faults that TLS itself applies before its Finished; nil when the handshake continues.
    ///
    /// For faults that TLS cannot apply it stalls, and the connection applies them without TLS.
    fileprivate init?(beforeFinished faults: [Fault]) {
        guard let effect = faults.first(where: { $0.delay == nil && $0.effect.pausesHandshake })?.effect else {
            return nil
        }
        if case .pause(let time) = effect {
            self = .pause(time)
        } else if case .tlsAlert(let alert) = effect {
            self = .alert(alert)
        } else {
            self = .stall
        }
    }
}
