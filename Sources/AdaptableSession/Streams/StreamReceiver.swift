import NIOCore

/// The receiver of a stream connection's events, on its event loop.
protocol StreamReceiver: AnyObject {
    func received(_ bytes: ByteBuffer)
    /// Requests more bytes if they are needed.
    func readMore()
    func inputEnded()
    func broke(_ failure: TransportFailure)
}
