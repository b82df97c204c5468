import NIOCore
import NIOHTTP1

/// One request and its response on a connection.
final class Exchange {
    let request: PoolRequestID
    let connection: Connection
    let isReused: Bool
    let start = MonotonicTime.now()
    let handler: ExchangeHandler
    let response: PendingResponse
    /// The HTTP/2 stream; closing it early resets only this exchange.
    let stream: (any Channel)?

    init(
        request: PoolRequestID, connection: Connection, isReused: Bool, handler: ExchangeHandler,
        stream: (any Channel)? = nil
    ) {
        self.stream = stream
        self.request = request
        self.connection = connection
        self.isReused = isReused
        self.handler = handler
        response = PendingResponse(handler)
    }

    func failure(_ kind: RequestFailure.Kind) -> RequestFailure {
        RequestFailure(
            kind: kind, connectionWasReused: isReused, sentBytes: response.sentBytes,
            receivedBytes: response.receivedBytes, responseHasBegun: response.hasBegun)
    }
}
