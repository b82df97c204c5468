import NIOCore
import NIOHTTP1

/// The response that one request waits for: its receiver, the parts that are not delivered yet, and its share of the
/// connection's bytes.
final class PendingResponse {
    enum Part {
        case informational(HTTPResponseHead)
        case head(HTTPResponseHead)
        case body(ByteBuffer)
        case end(HTTPHeaders?)
        case failed(TransportFailure)
    }

    let handler: ExchangeHandler
    private var receiver: (any ExchangeReceiver)?
    private var parts = CircularBuffer<Part>(initialCapacity: 2)
    private var isDelivering = false
    /// True while the handler keeps it: from its request until its last part is delivered.
    var isQueued = false
    /// True before the request, and after the last part has arrived.
    private(set) var hasArrived = true
    /// True after the whole request was sent; after a response that ends before, the connection cannot be reused.
    private(set) var hasSentEnd = true
    /// True after the response head has arrived, informational heads not included.
    private(set) var hasBegun = false
    private var account = ResponseAccount(received: 0)
    private var sent: (start: Int64, end: Int64?)?
    /// nil until all earlier responses of the connection have arrived.
    private var received: (start: Int64, end: Int64?)?
    private var heads: (start: Int64, end: Int64?)?

    init(_ handler: ExchangeHandler) { self.handler = handler }

    /// Waits for the response to the request that is sent next.
    func begin(_ receiver: any ExchangeReceiver) {
        self.receiver = receiver
        hasArrived = false
        hasSentEnd = false
        hasBegun = false
        isPaused = false
        received = nil
        heads = nil
        sent = (handler.counter.sent, nil)
        handler.append(self)
    }

    /// Gives up the rest of the response. Returns true if the connection can serve other exchanges.
    func leave() -> Bool {
        if isQueued { handler.remove(self) }
        return handler.isReusable && hasArrived && hasSentEnd
    }

    /// While true, no parts are passed on, and nothing is read as long as this is the first response of the connection.
    var isPaused = false {
        didSet { if oldValue, !isPaused { handler.resumed(self) } }
    }

    // MARK: Bytes

    /// Bytes of the request that were passed to the kernel or to TLS, including its head.
    var sentBytes: Int64 { sent.map { ($0.end ?? handler.counter.sent) - $0.start } ?? 0 }
    /// Bytes of the response, including informational responses.
    var receivedBytes: Int64 { received.map { ($0.end ?? handler.counter.parsed) - $0.start } ?? 0 }
    /// Bytes of the response head and of informational responses.
    var receivedHeadBytes: Int64 { heads.map { ($0.end ?? handler.counter.receivedHeads) - $0.start } ?? 0 }

    // MARK: The handler's side

    func requestEnds() {
        guard !hasSentEnd else { return }
        hasSentEnd = true
        sent?.end = handler.counter.sent
    }

    /// The following bytes of the connection belong to this response.
    func startsReceiving() {
        received = (handler.counter.parsed, nil)
        heads = (handler.counter.receivedHeads, nil)
        account = ResponseAccount(received: handler.counter.parsed)
    }

    func stopsReceiving() {
        hasArrived = true
        received?.end = handler.counter.parsed
        heads?.end = handler.counter.receivedHeads
    }

    func countInformational() { account.informationalResponse() }

    func countBody(_ count: Int) { account.body(count, received: handler.counter.received) }

    /// Returns the failure of a response that exceeds its limits.
    func excess() -> TransportFailure? {
        hasArrived ? nil : account.failure(received: handler.counter.received, sent: sentBytes)
    }

    func fail(_ failure: TransportFailure) {
        guard !hasArrived else { return }
        stopsReceiving()
        receive(.failed(failure))
    }

    func detach() {
        receiver = nil
        parts.removeAll()
        isPaused = false
    }

    func receive(_ part: Part) {
        if case .head = part { hasBegun = true }
        guard receiver != nil else { return }
        parts.append(part)
        deliver()
    }

    /// Passes on what has arrived, in the order of the requests: nothing before the end of an earlier response.
    func deliver() {
        if isDelivering { return }
        isDelivering = true
        defer { isDelivering = false }
        while !isPaused, handler.isTurn(of: self), let receiver, let part = parts.popFirst() {
            switch part {
            case .informational(let head): receiver.exchange(informational: head)
            case .head(let head): receiver.exchange(head: head)
            case .body(let bytes): receiver.exchange(body: bytes)
            case .end(let trailers):
                self.receiver = nil
                handler.delivered(self) { receiver.exchangeEnded(trailers: trailers) }
            case .failed(let failure):
                self.receiver = nil
                handler.delivered(self) { receiver.exchangeFailed(failure) }
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
