import NIOCore
import NIOHTTP1

/// Hears of one exchange, on the event loop. `exchangeEnded` or `exchangeFailed` is the last word.
protocol ExchangeReceiver: AnyObject {
    func exchange(informational head: HTTPResponseHead)
    func exchange(head: HTTPResponseHead)
    func exchange(body: ByteBuffer)
    func exchangeEnded(trailers: HTTPHeaders?)
    func exchangeFailed(_ failure: TransportFailure)
}
