import LinkEmulator

/// How late packets left one direction of a link beyond their planned moment, or were taken from their device, and what that makes of
/// its condition.
///
/// A machine that is loaded delays the emulator's thread, and what it takes or lets go late is no longer the condition that was asked.
/// - Over 1 ms, for more than one packet in a hundred: worth a word beside the measurement.
/// - Over a quarter of the asked delay, or 250 ms where that is more, for more than one packet in twenty and no fewer than five:
///   the condition was not kept. A single pause of the machine befalls fewer, and the time limits of scenarios leave
///   twice as much.
struct LatenessTally: Equatable, Sendable {
    private let bound: Int64
    private(set) var released = 0
    private var late = 0
    private var overBound = 0
    private var worst: Int64 = 0

    private static let noticeable: Int64 = 1_000_000
    private static let leastBound: Int64 = 250_000_000

    init(_ parameters: LinkParameters) { bound = max(LatenessTally.leastBound, parameters.delayNanoseconds / 4) }

    /// A packet left so many nanoseconds after its planned moment.
    mutating func note(_ lateness: Int64) {
        released += 1
        count(lateness)
    }

    /// A packet has waited up to so many nanoseconds before it was read; nothing in it or its device says how long.
    mutating func noteWait(_ nanoseconds: Int64) { count(nanoseconds) }

    private mutating func count(_ lateness: Int64) {
        guard lateness > LatenessTally.noticeable else { return }
        late += 1
        if lateness > bound { overBound += 1 }
        worst = max(worst, lateness)
    }

    /// The machine was too slow for the condition.
    var isBroken: Bool { overBound >= 5 && overBound * 20 > released }

    /// nil when nothing noticeable happened.
    var words: String? {
        guard late * 100 > released else { return nil }
        let counts = "\(min(late, released)) of \(released) left over 1 ms late, the worst by \(Milliseconds(worst))"
        return isBroken ? "the machine was too slow for this condition: \(counts)" : counts
    }
}
