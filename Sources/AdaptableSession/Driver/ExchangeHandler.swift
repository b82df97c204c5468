import NIOCore
import NIOHTTP1

/// The last handler of an HTTP/1.1 connection or of an HTTP/2 stream: assigns the received parts to the responses that
/// its requests wait for, in the order of the requests, and reads from the socket only as fast as they are accepted.
///
/// A stream has one exchange. A connection has several at a time if requests are pipelined (RFC 9112 §9.3.2); a request
/// behind one that did not end normally gets no response, because its response could not be recognised.
final class ExchangeHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    /// Counts the bytes of the connection, or of the stream.
    let counter: ByteCounter
    private var context: ChannelHandlerContext?
    /// The responses that are not delivered completely, in the order of their requests.
    private var queue = CircularBuffer<PendingResponse>(initialCapacity: 1)
    private var keepsAlive = true
    private var serverIsHTTP11 = false
    /// The end of the last response, as long as more bytes may follow it.
    private var pendingEnd: (response: PendingResponse, trailers: HTTPHeaders?)?
    /// For connections that serve several exchanges: ends the response, and returns true if the connection stays
    /// usable. For the last one this is called after everything that arrived with its end has been read; only then the
    /// end is reported, and another exchange can begin.
    var endsCleanly: (() -> Bool)?
    /// Called once, when the channel has closed or the server has sent something without a request.
    var whenUnusable: (() -> Void)?
    /// Called once, after the next read or at the end of the channel.
    private var whenRead: (() -> Void)?

    init(counter: ByteCounter = ByteCounter()) { self.counter = counter }

    /// True if another request may follow on this connection (RFC 9112 §9.3).
    var isReusable: Bool { pendingEnd == nil && keepsAlive && context != nil }

    /// True if requests may be sent on this connection before earlier responses have arrived: it has responded with
    /// HTTP/1.1 and stays open.
    var allowsPipelining: Bool { isReusable && serverIsHTTP11 && endsCleanly != nil }

    /// True if no response is outstanding.
    var isIdle: Bool { queue.isEmpty }

    // MARK: The request

    func send(_ head: HTTPRequestHead) {
        guard let context else { return }
        if !head.isKeepAlive { keepsAlive = false }
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
        let response = queue.last
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        response?.requestEnds()
    }

    func flush() { context?.flush() }

    /// Calls `done` after the next read, or at the end of the connection.
    func afterRead(_ done: @escaping () -> Void) { if context == nil { done() } else { whenRead = done } }

    private func hasRead() {
        let done = whenRead
        whenRead = nil
        done?()
    }

    // MARK: The queue

    func append(_ response: PendingResponse) {
        response.isQueued = true
        queue.append(response)
        if receiving === response { response.startsReceiving() }
        if context == nil { fail(.lost("the connection was closed before the request was sent")) }
    }

    /// Removes a response whose rest is not needed. The responses before it can still arrive.
    func remove(_ response: PendingResponse) {
        let wasPaused = response.isPaused
        let removed = cut(from: index(of: response))
        response.detach()
        for follower in removed.dropFirst() { follower.fail(.unanswered) }
        if wasPaused { readUnlessPaused() }
    }

    /// Returns true if the parts of the response may be passed on. A response that has left the queue has only its
    /// failure to deliver.
    func isTurn(of response: PendingResponse) -> Bool { !response.isQueued || queue.first === response }

    /// Removes a response whose last part `report` passes on, then continues with the next one.
    func delivered(_ response: PendingResponse, _ report: () -> Void) {
        if response.isQueued {
            response.isQueued = false
            queue.removeFirst()
        }
        report()
        queue.first?.deliver()
    }

    func resumed(_ response: PendingResponse) {
        let isFirst = isTurn(of: response)
        response.deliver()
        if isFirst { readUnlessPaused() }
    }

    private var receiving: PendingResponse? { queue.first { !$0.hasArrived } }

    private var isPaused: Bool { queue.first?.isPaused ?? false }

    private func readUnlessPaused() { if !isPaused { context?.read() } }

    private func index(of response: PendingResponse) -> Int {
        queue.enumerated().first { $0.element === response }?.offset ?? queue.count
    }

    /// Removes the responses from this place on. The connection cannot be used after those before it.
    private func cut(from index: Int) -> [PendingResponse] {
        guard index < queue.count else { return [] }
        keepsAlive = false
        let removed = Array(queue.dropFirst(index))
        queue.removeLast(removed.count)
        for response in removed { response.isQueued = false }
        return removed
    }

    /// Fails the requests behind this response, to which the server will not respond.
    private func failFollowers(of response: PendingResponse) {
        for follower in cut(from: index(of: response) + 1) { follower.fail(.unanswered) }
    }

    private func fail(_ failure: TransportFailure) {
        guard let response = receiving else { return }
        keepsAlive = false
        let index = index(of: response)
        let followers = cut(from: index + 1)
        if index > 0, response.receivedBytes == 0 {
            // An earlier response has arrived and is not delivered yet; this failure must not wait for it.
            for removed in cut(from: index) { removed.fail(.unanswered) }
        } else {
            response.fail(failure)
        }
        for follower in followers { follower.fail(.unanswered) }
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
        hasRead()
        if !isPaused { context.read() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let response = receiving else {
            // A response without a request: what follows on this connection cannot be assigned to a request (RFC 9112
            // §9.2).
            unusable()
            return
        }
        switch unwrapInboundIn(data) {
        case .head(let head) where (100..<200).contains(head.status.code) && head.status != .switchingProtocols:
            response.countInformational()
            if !checkLimits(context) { response.receive(.informational(head)) }
        case .head(let head):
            serverIsHTTP11 = head.version == .http1_1
            // After a 101 the connection switches to another protocol (RFC 9110 §15.2.2).
            let isLast = !head.isKeepAlive || head.status == .switchingProtocols
            if isLast { keepsAlive = false }
            response.receive(.head(head))
            // The server responds to no request after the one with `Connection: close` (RFC 9112 §9.6).
            if isLast { failFollowers(of: response) }
        case .body(let bytes):
            response.countBody(bytes.readableBytes)
            response.receive(.body(bytes))
        case .end(let trailers): ended(response, trailers)
        }
    }

    private func ended(_ response: PendingResponse, _ trailers: HTTPHeaders?) {
        response.stopsReceiving()
        guard let next = receiving else {
            pendingEnd = (response, trailers)
            if endsCleanly == nil { notifyEnd() }
            return
        }
        if endsCleanly?() == false { failFollowers(of: response) } else { next.startsReceiving() }
        response.receive(.end(trailers))
    }

    /// Ends an exchange that receives more than its limits allow. Returns true if it ended.
    @discardableResult
    private func checkLimits(_ context: ChannelHandlerContext) -> Bool {
        guard let failure = receiving?.excess() else { return false }
        errorCaught(context: context, error: failure)
        return true
    }

    private func notifyEnd() {
        guard let (response, trailers) = pendingEnd else { return }
        pendingEnd = nil
        if endsCleanly?() == false { unusable() }
        response.receive(.end(trailers))
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
        hasRead()
        context.fireChannelInactive()
    }

    /// Handles the server's close_notify: no more data can arrive, but TCP may stay open for a long time (RFC 8446
    /// §6.1). The decoder has already handled its meaning for the response. An HTTP/2 stream ends by itself.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed, endsCleanly != nil {
            keepsAlive = false
            notifyEnd()
            fail(.lost("the connection was closed before the response was complete"))
            unusable()
        }
        context.fireUserInboundEventTriggered(event)
    }

    private func unusable() {
        keepsAlive = false
        let notify = whenUnusable
        whenUnusable = nil
        notify?()
    }
}
