import NIOCore
import NIOHPACK
import NIOHTTP1
import NIOHTTP2

/// The client's side of an HTTP/2 connection, after ALPN has selected `h2`: opens a stream for each exchange.
///
/// A stream uses the same message parts as an HTTP/1.1 connection and has an `ExchangeHandler` as its last handler, so
/// an exchange does not depend on the version. Lives on the channel's loop; closing a stream's channel early resets
/// only that stream (CANCEL).
final class HTTP2Connection {
    /// The number of streams that may be opened before the server's SETTINGS have arrived.
    static let streamsBeforeSettings = 100
    /// The flow-control window of a stream in bytes: enough for a fast and distant server.
    private static let streamWindow = 1 << 20

    enum Event {
        /// The server's SETTINGS_MAX_CONCURRENT_STREAMS.
        case streamLimit(Int)
        /// The server sent GOAWAY: no new streams.
        case goingAway
        /// The connection is closed, with all its streams.
        case closed
    }

    struct Stream {
        let channel: any Channel
        let handler: ExchangeHandler
        let counter: ByteCounter
    }

    let channel: any Channel
    private let pendingInput: PendingInput
    private let multiplexer: NIOHTTP2Handler.StreamMultiplexer
    private let observer: HTTP2FrameObserver
    fileprivate let policy: HTTP2Policy
    private let isSecure: Bool
    /// The last stream that the server may have processed, after it has sent GOAWAY; a later GOAWAY can only lower it.
    fileprivate var lastStream: HTTP2StreamID?
    var isGoingAway: Bool { lastStream != nil }
    private var goneAway: TransportFailure { .goneAway(served: lastStream.map { $0 > 0 } ?? false) }
    fileprivate(set) var isClosed = false
    /// True if no new streams can be opened.
    var servesNoMore: Bool { isClosed || isGoingAway && policy.honoursGoAway }
    /// Streams that are opened after the received bytes have been read.
    private var waiting: [() -> Void] = []
    /// True if NIO has ended the connection because of a connection error.
    fileprivate private(set) var hasSentGoAway = false
    /// The reason for which this side ended the connection; all its streams fail with it.
    fileprivate var failure: TransportFailure?
    /// Streams that NIO has reset because the response was not valid HTTP/2.
    private var malformed: Set<Int> = []
    fileprivate let report: (Event) -> Void

    /// Adds its handlers after the existing ones, on the loop. From now on the connection reads automatically; the
    /// flow-control window limits what a stream that does not read receives.
    init(
        on channel: any Channel, isSecure: Bool, policy: HTTP2Policy,
        events: @escaping (Event) -> Void
    ) throws {
        self.channel = channel
        pendingInput = PendingInput(of: channel)
        self.isSecure = isSecure
        self.policy = policy
        report = events
        var configuration = NIOHTTP2Handler.ConnectionConfiguration()
        configuration.initialSettings = [
            HTTP2Setting(parameter: .enablePush, value: 0),
            HTTP2Setting(parameter: .initialWindowSize, value: HTTP2Connection.streamWindow),
            HTTP2Setting(parameter: .maxHeaderListSize, value: 256 * 1024),
        ]
        // For all streams together.
        configuration.targetWindowSize = 1 << 24
        // Servers end a body of unknown length with an empty frame, some with two.
        configuration.maximumSequentialEmptyDataFrames = 8
        // The server does not know yet that a stream was cancelled: what arrives for it is ignored (RFC 9113 §5.1). For
        // a stream that NIO has forgotten it would be an error of the connection.
        configuration.maximumRecentlyResetStreams = 4_096
        // PING and SETTINGS frames within half a minute: each of them must be acknowledged (RFC 9113 §6.7).
        configuration.controlFrameRateLimit.maximumCount = 20_000
        var streams = NIOHTTP2Handler.StreamConfiguration()
        streams.targetWindowSize = HTTP2Connection.streamWindow
        // NIO's limit of 200 in half a minute is for servers. A server may reset each stream after a complete response
        // (RFC 9113 §8.1). `HTTP2ReceivedFrames` bounds the frames of a hostile server.
        streams.streamResetFrameRateLimit.maximumCount = 2_000
        streams.streamResetFrameRateLimit.windowLength = .milliseconds(100)
        streams.outboundBufferSizeHighWatermark = 256 * 1024
        streams.outboundBufferSizeLowWatermark = 64 * 1024
        let handler = NIOHTTP2Handler(
            mode: .client, eventLoop: channel.eventLoop, connectionConfiguration: configuration,
            streamConfiguration: streams
        ) { pushed in
            // The settings disable server push.
            pushed.close()
        }
        let operations = channel.pipeline.syncOperations
        let listener = HTTP2ConnectionListener()
        observer = HTTP2FrameObserver(
            HTTP2ReceivedFrames(now: MonotonicTime.now()),
            { [weak listener] in listener?.connection?.sent($0) },
            fail: { [weak listener] in listener?.connection?.failure = $0 })
        try operations.addHandlers(observer, handler, listener)
        multiplexer = try handler.syncMultiplexer()
        listener.connection = self
        try channel.syncOptions?.setOption(.autoRead, value: true)
        channel.read()
    }

    /// Opens a stream; `done` is called on the loop, later. The stream's channel does not read automatically: its
    /// handler requests each read.
    ///
    /// With `readingFirst`, received bytes are read first: they may contain a GOAWAY or the end of the connection. One
    /// read is enough, since under load there are always more bytes.
    func open(readingFirst: Bool = false, _ done: @escaping (Result<Stream, TransportFailure>) -> Void) {
        guard readingFirst else { return open(done) }
        // Not during a read, whose completion would come too early.
        channel.eventLoop.assumeIsolated().execute { [self] in
            if !isClosed, pendingInput.exists { waiting.append { self.open(done) } } else { open(done) }
        }
    }

    fileprivate func readCompleted() {
        let opening = waiting
        waiting = []
        for open in opening { open() }
    }

    private func open(_ done: @escaping (Result<Stream, TransportFailure>) -> Void) {
        if isClosed { return done(.failure(.lost("the connection was closed before the request was sent"))) }
        if isGoingAway, policy.honoursGoAway { return done(.failure(goneAway)) }
        let promise = channel.eventLoop.makePromise(of: (any Channel).self)
        let bound = NIOLoopBound(self, eventLoop: channel.eventLoop)
        let isSecure = isSecure
        multiplexer.createStreamChannel(promise: promise) { stream in
            stream.eventLoop.makeCompletedFuture {
                try stream.syncOptions?.setOption(.autoRead, value: false)
                let counter = ByteCounter()
                try stream.pipeline.syncOperations.addHandlers(
                    HTTP2StreamGuard(bound.value, counter),
                    HTTP2FramePayloadToHTTP1ClientCodec(httpProtocol: isSecure ? .https : .http),
                    ExchangeHandler(counter: counter))
            }
        }
        promise.futureResult.assumeIsolated().whenComplete { [self] result in
            switch result {
            case .success(let stream):
                // The server sent GOAWAY while the stream was being created.
                if isGoingAway, policy.honoursGoAway {
                    stream.close(promise: nil)
                    return done(.failure(goneAway))
                }
                do {
                    let handler = try stream.pipeline.syncOperations.handler(type: ExchangeHandler.self)
                    let guardian = try stream.pipeline.syncOperations.handler(type: HTTP2StreamGuard.self)
                    done(.success(Stream(channel: stream, handler: handler, counter: guardian.counter)))
                } catch {
                    // The stream was closed before it could be used.
                    done(.failure(failure(error)))
                }
            case .failure(let error): done(.failure(failure(error)))
            }
        }
    }

    func close() { HTTP2Connection.close(channel) }

    /// Closes a connection in the next turn of the loop. After a close during a read NIO never completes the read, and
    /// keeps the streams that have received something in it, and with them itself.
    static func close(_ channel: any Channel) { channel.eventLoop.execute { channel.close(promise: nil) } }

    /// Returns true if the server has sent nothing since `time`.
    func isSilent(since time: Int64) -> Bool { observer.received.isSilent(since: time) }

    private func sent(_ word: HTTP2SentFrames.Frame) {
        switch word {
        case .goAway: hasSentGoAway = true
        // A stream that is not needed any more is reset with CANCEL.
        case .reset(let stream, let code): if code != HTTP2ErrorCode.cancel.networkCode { malformed.insert(stream) }
        }
    }

    /// Converts a stream's error to the failure of its exchange.
    fileprivate func failure(_ error: any Error) -> TransportFailure {
        if let failure { return failure }
        switch error {
        case let failure as TransportFailure: return failure
        // NIO ends the streams above the last one of a GOAWAY as if they had been reset.
        case let error as NIOHTTP2Errors.StreamClosed where lastStream.map({ error.streamID > $0 }) ?? false:
            return goneAway
        case let error as NIOHTTP2Errors.StreamClosed where malformed.remove(Int(error.streamID)) != nil:
            return .malformed(
                "the response is not valid HTTP/2: the stream was ended with \(ErrorDescription.name(error.errorCode))")
        case let error as NIOHTTP2Errors.StreamClosed where error.errorCode == .refusedStream: return .streamRefused
        case let error as NIOHTTP2Errors.StreamClosed where error.errorCode == .http11Required: return .needsHTTP1
        case let error as NIOHTTP2Errors.StreamClosed:
            return .reset("the server reset the stream: \(ErrorDescription.name(error.errorCode))")
        case is NIOHTTP2Errors.CreatedStreamAfterGoaway:
            return policy.honoursGoAway ? goneAway : .malformed("a stream was opened after the server sent GOAWAY")
        // After GOAWAY, and after all other streams have ended, NIO treats the connection as closed.
        case is NIOHTTP2Errors.IOOnClosedConnection where isGoingAway && policy.honoursGoAway: return goneAway
        case is NIOHTTP2Errors.IOOnClosedConnection:
            return .lost("the connection was closed before the request was sent")
        case is NIOHTTP2Errors.MaxStreamsViolation: return .streamRefused
        case let error as any NIOHTTP2Error: return .malformed(FailureReason("the response is not valid HTTP/2", error))
        default: return TransportFailure(onConnection: error)
        }
    }

    fileprivate func closed() {
        guard !isClosed else { return }
        isClosed = true
        report(.closed)
        readCompleted()
    }
}

/// The handler after the HTTP/2 handler, which receives the frames that concern the whole connection.
private final class HTTP2ConnectionListener: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame

    weak var connection: HTTP2Connection?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let connection else { return }
        switch unwrapInboundIn(data).payload {
        case .settings(.settings(let settings)):
            for setting in settings where setting.parameter == .maxConcurrentStreams {
                connection.report(.streamLimit(setting.value))
            }
        case .goAway(let last, _, _):
            let isFirst = connection.lastStream == nil
            connection.lastStream = min(last, connection.lastStream ?? last)
            if isFirst, connection.policy.honoursGoAway { connection.report(.goingAway) }
        default: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        connection?.readCompleted()
        context.fireChannelReadComplete()
    }

    /// After close_notify no more data can arrive, but TCP may stay open for a long time (RFC 8446 §6.1).
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed { HTTP2Connection.close(context.channel) }
        context.fireUserInboundEventTriggered(event)
    }

    /// Closes the connection after a connection error; its streams fail when it closes.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // NIO reports errors of a single stream here too, without a distinct type; they must not end the other streams
        // (RFC 9113 §5.4.2). For a connection error NIO sends GOAWAY before it reports the error.
        let isOfConnection = connection?.hasSentGoAway ?? true
        if !isOfConnection, error is any NIOHTTP2Error, !(error is NIOHTTP2Errors.UnableToSerializeFrame) { return }
        if isOfConnection, let connection, connection.failure == nil, error is any NIOHTTP2Error {
            connection.failure = connection.failure(error)
        }
        HTTP2Connection.close(context.channel)
    }

    func channelInactive(context: ChannelHandlerContext) {
        connection?.closed()
        context.fireChannelInactive()
    }
}

/// The first handler of a stream: counts its bytes and converts its errors.
private final class HTTP2StreamGuard: ChannelDuplexHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = HTTP2Frame.FramePayload
    typealias OutboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    let counter: ByteCounter
    private weak var connection: HTTP2Connection?

    init(_ connection: HTTP2Connection, _ counter: ByteCounter) {
        self.connection = connection
        self.counter = counter
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let payload = unwrapInboundIn(data)
        let size = HTTP2StreamGuard.size(payload)
        counter.received += size
        if case .headers(let content) = payload, let status = content.headers.first(name: ":status") {
            counter.receivedHeads += size
            // The next handler accepts any number as a status, and traps on a negative one.
            guard HTTP2StreamGuard.isStatus(status) else {
                return errorCaught(
                    context: context,
                    error: TransportFailure.malformed("the response is not valid HTTP/2: its status is '\(status)'"))
            }
        }
        context.fireChannelRead(data)
    }

    /// Returns true for three digits (RFC 9110 §15), of which the first is not 0.
    private static func isStatus(_ text: String) -> Bool {
        text.utf8.count == 3 && text.utf8.allSatisfy { (0x30...0x39).contains($0) } && text.utf8.first != 0x30
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let payload = unwrapOutboundIn(data)
        counter.sent += HTTP2StreamGuard.size(payload)
        guard case .headers = payload else { return context.write(data, promise: promise) }
        // A request head that cannot be sent is reported only through this promise, and would never receive a response.
        let written = promise ?? context.eventLoop.makePromise()
        written.futureResult.assumeIsolated().whenFailure { [self] error in
            if !isInactive { errorCaught(context: context, error: error) }
        }
        context.write(data, promise: written)
    }

    /// The error of a stream that GOAWAY ended: the stream receives it before the connection receives the GOAWAY, so it
    /// is reported one turn of the loop later.
    private var pending: (any Error)?
    private var isInactive = false

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard pending == nil else { return }
        guard error is NIOHTTP2Errors.StreamClosed else { return report(error, context) }
        pending = error
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.execute {
            let (handler, context) = bound.value
            handler.report(error, context)
            handler.pending = nil
            if handler.isInactive { context.fireChannelInactive() }
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        isInactive = true
        guard pending == nil else { return }
        if let failure = connection?.failure { context.fireErrorCaught(failure) }
        context.fireChannelInactive()
    }

    private func report(_ error: any Error, _ context: ChannelHandlerContext) {
        context.fireErrorCaught(connection?.failure(error) ?? TransportFailure(onConnection: error))
    }

    /// Returns the size of headers as they would be in HTTP/1.1: compression depends on the whole connection's state.
    private static func size(_ payload: HTTP2Frame.FramePayload) -> Int64 {
        switch payload {
        case .headers(let content):
            return content.headers.reduce(0) { $0 + Int64($1.name.utf8.count + $1.value.utf8.count + 4) }
        case .data(let content): return Int64(content.data.readableBytes)
        default: return 0
        }
    }
}

/// Passes a connection's events to its listener, and keeps those that arrive before the connection pool listens.
final class HTTP2EventRelay {
    private var listener: ((HTTP2Connection.Event) -> Void)?
    private var early: [HTTP2Connection.Event] = []

    func receive(_ event: HTTP2Connection.Event) {
        if let listener { listener(event) } else { early.append(event) }
    }

    /// Sets the listener and passes it the events that arrived before; nil drops all events.
    func listen(_ listener: ((HTTP2Connection.Event) -> Void)?) {
        self.listener = listener
        let missed = early
        early = []
        for event in missed { listener?(event) }
    }
}
