import NIOCore
import NIOHTTP1

/// The last handler of an HTTP/1.1 connection or of an HTTP/2 stream: passes the parts of the response to the receiver
/// of the current exchange, and reads from the socket only as fast as they are accepted.
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
    private var account = ResponseAccount(received: 0)
    private var sentBefore: Int64 = 0
    private var context: ChannelHandlerContext?
    private var receiver: (any ExchangeReceiver)?
    private var items = CircularBuffer<Item>()
    private var isDispatching = false
    private var hasEnded = true
    /// True after the whole request was sent; after a response that ends before, the connection cannot be reused.
    private var hasSentEnd = true
    private var responseKeepsAlive = true
    /// True after the response head has arrived, informational heads not included.
    private(set) var responseHasBegun = false
    /// The end of the response, as long as more bytes may follow it.
    private var pendingEnd: Item?
    /// For connections that serve several exchanges: returns true if the response was the last thing received. Called
    /// after everything that arrived with its end has been read; only then the end is reported, and another exchange
    /// can begin.
    var endsCleanly: (() -> Bool)?
    /// Called once, when the channel has closed or the server has sent something without a request.
    var whenUnusable: (() -> Void)?

    init(counter: ByteCounter = ByteCounter()) { self.counter = counter }

    /// While true, no parts are passed on and nothing is read.
    var isPaused = false {
        didSet { if oldValue, !isPaused { advance() } }
    }

    /// True if another request may follow on this connection (RFC 9112 §9.3).
    var isReusable: Bool { hasEnded && pendingEnd == nil && hasSentEnd && responseKeepsAlive && context != nil }

    // MARK: The exchange

    func begin(_ receiver: any ExchangeReceiver) {
        self.receiver = receiver
        pendingEnd = nil
        hasEnded = false
        hasSentEnd = false
        responseHasBegun = false
        isPaused = false
        account = ResponseAccount(received: counter.received)
        sentBefore = counter.sent
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

    /// Detaches the receiver. Returns true if the connection can serve other exchanges.
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
            // A response without a request: what follows on this connection cannot be assigned to a request (RFC 9112
            // §9.2).
            unusable()
            return
        }
        switch unwrapInboundIn(data) {
        case .head(let head) where (100..<200).contains(head.status.code) && head.status != .switchingProtocols:
            account.informationalResponse()
            if !checkLimits(context) { receive(.informational(head)) }
        case .head(let head):
            // After a 101 the connection switches to another protocol (RFC 9110 §15.2.2).
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

    /// Ends an exchange that receives more than its limits allow. Returns true if it ended.
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
        fail(.lost("the connection was closed before the response was complete"))
        unusable()
        context.fireChannelInactive()
    }

    /// Handles the server's close_notify: no more data can arrive, but TCP may stay open for a long time (RFC 8446
    /// §6.1). The decoder has already handled its meaning for the response. An HTTP/2 stream ends by itself.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed, endsCleanly != nil {
            responseKeepsAlive = false
            notifyEnd()
            fail(.lost("the connection was closed before the response was complete"))
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

    // MARK: Passing parts on

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

/// Receives the events of one exchange, on the event loop. `exchangeEnded` or `exchangeFailed` is the last one.
protocol ExchangeReceiver: AnyObject {
    func exchange(informational head: HTTPResponseHead)
    func exchange(head: HTTPResponseHead)
    func exchange(body: ByteBuffer)
    func exchangeEnded(trailers: HTTPHeaders?)
    func exchangeFailed(_ failure: TransportFailure)
}
