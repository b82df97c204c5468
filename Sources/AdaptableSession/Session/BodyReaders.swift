/// What all who can read one body share; when the last of them goes, its load is cancelled.
final class BodyReaders: Sendable {
    let pieces: BodyPieces

    init(_ pieces: BodyPieces) { self.pieces = pieces }

    deinit { pieces.abandon() }
}
