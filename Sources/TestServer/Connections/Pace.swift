import Scenario

/// Spreads bytes over time at a rate: a piece may go when its own last bit would have.
struct Pace: Hashable {
    private let bitsPerSecond: UInt64
    private var start: Int64
    private var spent: Int64 = 0

    /// How long a piece takes; short enough to look like a slow line, long enough to need few timers.
    private static let pieceNanoseconds: Double = 10_000_000
    /// A timer may be this late without slowing the line down; time beyond it is lost, as on a line that nobody used.
    private static let grace: Int64 = 100_000_000

    init(_ rate: BitRate, at now: Int64) {
        bitsPerSecond = rate.bitsPerSecond
        start = now
    }

    var pieceSize: Int {
        Int(min(max(Double(bitsPerSecond) / 8 * Pace.pieceNanoseconds / 1e9, 1), 64 * 1024))
    }

    /// When these further bytes are through.
    func due(after bytes: Int) -> Int64 {
        start + Int64(min(Double(spent + Int64(bytes)) * 8e9 / Double(bitsPerSecond), 9e17))
    }

    /// To be called before a piece: time in which there was nothing to send gives no right to a burst.
    mutating func forgetIdleTime(at now: Int64) {
        guard now > due(after: pieceSize) + Pace.grace else { return }
        let piece = due(after: pieceSize) - due(after: 0)
        start = now - piece
        spent = 0
    }

    mutating func spend(_ bytes: Int) { spent += Int64(bytes) }
}
