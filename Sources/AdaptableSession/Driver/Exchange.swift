import NIOCore
import NIOHTTP1

/// One request and its response on a connection.
final class Exchange {
    let request: PoolRequestID
    let connection: Connection
    let isReused: Bool
    let start = MonotonicTime.now()
    let handler: ExchangeHandler
    /// The HTTP/2 stream; closing it early resets only this exchange.
    let stream: (any Channel)?
    private let counter: ByteCounter
    private let sentBefore: Int64
    private let receivedBefore: Int64
    private let receivedHeadsBefore: Int64

    init(
        request: PoolRequestID, connection: Connection, isReused: Bool, handler: ExchangeHandler, counter: ByteCounter,
        stream: (any Channel)? = nil
    ) {
        self.stream = stream
        self.request = request
        self.connection = connection
        self.isReused = isReused
        self.handler = handler
        self.counter = counter
        sentBefore = counter.sent
        receivedBefore = counter.received
        receivedHeadsBefore = counter.receivedHeads
    }

    /// Bytes of the request that were passed to the kernel or to TLS, including its head.
    var sentBytes: Int64 { counter.sent - sentBefore }
    var responseHasBegun: Bool { handler.responseHasBegun }
    /// Bytes of the response, including informational responses.
    var receivedBytes: Int64 { counter.received - receivedBefore }

    /// Bytes of the response head and of informational responses.
    var receivedHeadBytes: Int64 { counter.receivedHeads - receivedHeadsBefore }

    func failure(_ kind: RequestFailure.Kind) -> RequestFailure {
        RequestFailure(
            kind: kind, connectionWasReused: isReused, sentBytes: sentBytes, receivedBytes: receivedBytes,
            responseHasBegun: responseHasBegun)
    }
}
