import ScenarioLanguage

/// Spreads bytes over time: a piece may be sent at the time when its last bit would be.
struct Pace: Hashable {
    private enum Kind: Hashable {
        case rate(bitsPerSecond: UInt64)
        case dribble(bytes: Int, nanoseconds: Int64)
    }

    private let kind: Kind
    private var start: Int64
    private var spent: Int64 = 0

    /// The duration of a piece at a rate; short enough to look like a slow line, long enough to need few timers.
    private static let pieceNanoseconds: Double = 10_000_000
    /// A timer may be late by this much without slowing the line down; time beyond it is lost, like on an idle line.
    private static let grace: Int64 = 100_000_000

    init(_ rate: BitRate, at now: Int64) {
        kind = .rate(bitsPerSecond: rate.bitsPerSecond)
        start = now
    }

    /// Allows this many bytes after each such interval.
    init(pieces bytes: Int, every time: Duration, at now: Int64) {
        kind = .dribble(bytes: max(1, bytes), nanoseconds: time.nanoseconds)
        start = now
    }

    var isDribble: Bool {
        switch kind {
        case .rate: false
        case .dribble: true
        }
    }

    var pieceSize: Int {
        switch kind {
        case .rate(let bits): Int(min(max(Double(bits) / 8 * Pace.pieceNanoseconds / 1e9, 1), 64 * 1024))
        case .dribble(let bytes, _): bytes
        }
    }

    /// Returns the time at which these further bytes have been sent.
    func due(after bytes: Int) -> Int64 {
        let count = Double(spent + Int64(bytes))
        let time =
            switch kind {
            case .rate(let bits): count * 8e9 / Double(bits)
            // An incomplete last piece counts as a piece.
            case .dribble(let piece, let nanoseconds): (count / Double(piece)).rounded(.up) * Double(nanoseconds)
            }
        return start + Int64(min(time, 9e17))
    }

    /// Called before a piece: time without anything to send does not allow a burst.
    mutating func forgetIdleTime(at now: Int64) {
        guard now > due(after: pieceSize) + Pace.grace else { return }
        let piece = due(after: pieceSize) - due(after: 0)
        start = now - piece
        spent = 0
    }

    mutating func spend(_ bytes: Int) {
        switch kind {
        case .rate: spent += Int64(bytes)
        case .dribble(let piece, _): spent += Int64((bytes + piece - 1) / piece * piece)
        }
    }
}
