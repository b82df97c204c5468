/// What all who can read one body share; when the last of them goes, its load is cancelled.
final class AsyncBytesLifetime: Sendable {
    let pieces: AsyncBodyBuffer

    init(_ pieces: AsyncBodyBuffer) { self.pieces = pieces }

    deinit { pieces.abandon() }
}
