import NIOCore
import NIOHTTP1

/// One request and its answer on a connection.
final class Exchange {
    let request: PoolRequestID
    let connection: Connection
    let isReused: Bool
    let handler: ExchangeHandler
    /// Of HTTP/2: closed early it resets this exchange and no other.
    let stream: (any Channel)?
    private let counter: ByteCounter
    private let sentBefore: Int64
    private let receivedBefore: Int64

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
    }

    /// Bytes of the request that were handed to the kernel or to TLS, its head included.
    var sentBytes: Int64 { counter.sent - sentBefore }
    var responseHasBegun: Bool { handler.responseHasBegun }
    /// Bytes of the answer, informational responses included.
    var receivedBytes: Int64 { counter.received - receivedBefore }
}
