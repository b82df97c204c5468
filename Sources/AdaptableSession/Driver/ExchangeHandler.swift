import NIOCore
import NIOHTTP1

/// The last handler of an HTTP/1.1 connection or of an HTTP/2 stream: gives the parts of the answer to whoever exchanges at the moment,
/// and reads from the socket only as fast as they are taken.
final class ExchangeHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private enum Item {
        case informational(HTTPResponseHead)
        case head(HTTPResponseHead)
        case body(ByteBuffer)
        case end(HTTPHeaders?)
        case failed(TransportFailure)
    }

    /// Counts the bytes of the connection, or of the stream.
    private let counter: ByteCounter
    private let limits: ResponseLimits
    private var account: ResponseAccount
    private var sentBefore: Int64 = 0
    private var context: ChannelHandlerContext?
    private var receiver: (any ExchangeReceiver)?
    private var items = CircularBuffer<Item>()
    private var isDispatching = false
    private var hasEnded = true
    /// The request was sent whole; an answer that ends before leaves the connection in the middle of it.
    private var hasSentEnd = true
    private var responseKeepsAlive = true
    /// The head of the answer has come, and not only informational ones.
    private(set) var responseHasBegun = false
    /// The end of the answer, while it is not certain that nothing came behind it.
    private var pendingEnd: Item?
    /// Of a connection that serves one exchange after another: whether the answer was the last that came. Asked when all that came with
    /// its end has been read; only then the end is told, and another exchange can begin.
    var endsCleanly: (() -> Bool)?
    /// Called once, when the channel is gone or a peer speaks without being asked.
    var whenUnusable: (() -> Void)?
    /// Called before each request goes out.
    var whenBeginning: (() -> Void)?

    init(counter: ByteCounter = ByteCounter(), limits: ResponseLimits = ResponseLimits()) {
        self.counter = counter
        self.limits = limits
        account = ResponseAccount(limits, received: 0)
    }

    /// While true nothing more is handed on, and nothing more is read.
    var isPaused = false {
        didSet { if oldValue, !isPaused { advance() } }
    }

    /// Whether another request may follow on this connection (RFC 9112 §9.3).
    var isReusable: Bool { hasEnded && pendingEnd == nil && hasSentEnd && responseKeepsAlive && context != nil }

    // MARK: The exchange

    func begin(_ receiver: any ExchangeReceiver) {
        self.receiver = receiver
        pendingEnd = nil
        hasEnded = false
        hasSentEnd = false
        responseHasBegun = false
        isPaused = false
        account = ResponseAccount(limits, received: counter.received)
        sentBefore = counter.sent
        whenBeginning?()
        if context == nil { fail(.lost("the connection was closed before the request was sent")) }
    }

    func send(_ head: HTTPRequestHead) {
        guard let context else { return }
        if !head.isKeepAlive { responseKeepsAlive = false }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
    }

    func send(_ body: ByteBuffer, promise: EventLoopPromise<Void>?) {
        guard let context else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(body))), promise: promise)
    }

    func sendEnd() {
        guard let context else { return }
        hasSentEnd = true
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func flush() { context?.flush() }

    /// The receiver wants to hear nothing more. True: the connection is in order and may serve others.
    func leave() -> Bool {
        let isReusable = isReusable && items.isEmpty
        receiver = nil
        pendingEnd = nil
        items.removeAll()
        isPaused = false
        return isReusable
    }

    // MARK: Channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { context.read() }
    }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        context.read()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        checkLimits(context)
        notifyEnd()
        context.fireChannelReadComplete()
        if !isPaused { context.read() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasEnded else {
            // An answer that nobody asked for: what follows on this connection cannot be told apart (RFC 9112 §9.2).
            unusable()
            return
        }
        switch unwrapInboundIn(data) {
        case .head(let head) where (100..<200).contains(head.status.code) && head.status != .switchingProtocols:
            account.informationalResponse()
            if !checkLimits(context) { receive(.informational(head)) }
        case .head(let head):
            // Behind a 101 another protocol is spoken (RFC 9110 §15.2.2).
            if !head.isKeepAlive || head.status == .switchingProtocols { responseKeepsAlive = false }
            responseHasBegun = true
            receive(.head(head))
        case .body(let bytes):
            account.body(bytes.readableBytes, received: counter.received)
            receive(.body(bytes))
        case .end(let trailers):
            hasEnded = true
            pendingEnd = .end(trailers)
            if endsCleanly == nil { notifyEnd() }
        }
    }

    /// Ends an exchange that receives more than its limits allow. True: it is over.
    @discardableResult
    private func checkLimits(_ context: ChannelHandlerContext) -> Bool {
        guard !hasEnded, let failure = account.failure(received: counter.received, sent: counter.sent - sentBefore)
        else { return false }
        errorCaught(context: context, error: failure)
        return true
    }

    private func notifyEnd() {
        guard let end = pendingEnd else { return }
        pendingEnd = nil
        if endsCleanly?() == false { unusable() }
        receive(end)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(TransportFailure(onConnection: error))
        unusable()
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.context = nil
        notifyEnd()
        fail(.lost("the connection was closed before the answer had ended"))
        unusable()
        context.fireChannelInactive()
    }

    /// The peer's close_notify: nothing more can come, though TCP may stay open for long (RFC 8446 §6.1). The decoder has made of it what
    /// it means for the answer. A stream of HTTP/2 ends by itself.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed, endsCleanly != nil {
            responseKeepsAlive = false
            notifyEnd()
            fail(.lost("the connection was closed before the answer had ended"))
            unusable()
        }
        context.fireUserInboundEventTriggered(event)
    }

    private func fail(_ failure: TransportFailure) {
        guard !hasEnded else { return }
        hasEnded = true
        responseKeepsAlive = false
        receive(.failed(failure))
    }

    private func unusable() {
        responseKeepsAlive = false
        let notify = whenUnusable
        whenUnusable = nil
        notify?()
    }

    // MARK: Handing on

    private func receive(_ item: Item) {
        guard receiver != nil else { return }
        items.append(item)
        dispatch()
    }

    private func advance() {
        dispatch()
        if !isPaused { context?.read() }
    }

    private func dispatch() {
        if isDispatching { return }
        isDispatching = true
        defer { isDispatching = false }
        while !isPaused, let receiver, let item = items.popFirst() {
            switch item {
            case .informational(let head): receiver.exchange(informational: head)
            case .head(let head): receiver.exchange(head: head)
            case .body(let bytes): receiver.exchange(body: bytes)
            case .end(let trailers):
                self.receiver = nil
                receiver.exchangeEnded(trailers: trailers)
            case .failed(let failure):
                self.receiver = nil
                receiver.exchangeFailed(failure)
            }
        }
    }
}
