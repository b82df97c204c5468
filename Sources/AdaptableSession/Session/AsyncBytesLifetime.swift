/// An object shared by all readers of one body; its deinitialization cancels the load.
final class AsyncBytesLifetime: Sendable {
    let pieces: AsyncBodyBuffer

    init(_ pieces: AsyncBodyBuffer) { self.pieces = pieces }

    deinit { pieces.abandon() }
}
