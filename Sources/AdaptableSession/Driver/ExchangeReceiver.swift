import NIOCore
import NIOHTTP1

/// Receives the events of one exchange, on the event loop. `exchangeEnded` or `exchangeFailed` is the last one.
protocol ExchangeReceiver: AnyObject {
    func exchange(informational head: HTTPResponseHead)
    func exchange(head: HTTPResponseHead)
    func exchange(body: ByteBuffer)
    func exchangeEnded(trailers: HTTPHeaders?)
    func exchangeFailed(_ failure: TransportFailure)
}
