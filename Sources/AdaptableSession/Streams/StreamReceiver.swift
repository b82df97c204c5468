import NIOCore

/// Hears what comes of a stream's connection, on its event loop.
protocol StreamReceiver: AnyObject {
    func received(_ bytes: ByteBuffer)
    /// The moment to read more, or not to.
    func readMore()
    func inputEnded()
    func broke(_ failure: TransportFailure)
}
