import LinkEmulator
import Units

/// Counts how late packets left one direction of a link or were read from their device, and decides if its condition
/// was kept.
///
/// A loaded machine delays the emulator's thread, and packets that it reads or releases late did not meet the requested
/// condition.
/// - More than 1 ms, for more than one packet in a hundred: noted beside the measurement.
/// - More than a quarter of the requested delay, or 250 ms where that is more, for more than one packet in twenty and
///   at least five: the condition was not kept. A single pause of the machine affects fewer packets, and the time
///   limits of scenarios leave twice as much.
struct LatenessTally: Equatable, Sendable {
    private let bound: Int64
    private(set) var released = 0
    private var late = 0
    private var overBound = 0
    private var worst: Int64 = 0

    private static let noticeable: Int64 = 1_000_000
    private static let leastBound: Int64 = 250_000_000

    init(_ parameters: LinkParameters) { bound = max(LatenessTally.leastBound, parameters.delay.nanoseconds / 4) }

    /// Counts a packet that left this many nanoseconds after its planned time.
    mutating func record(_ lateness: Int64) {
        released += 1
        count(lateness)
    }

    /// Counts a packet that may have waited this many nanoseconds before it was read; neither the packet nor its device
    /// has the exact time.
    mutating func recordWait(_ nanoseconds: Int64) { count(nanoseconds) }

    private mutating func count(_ lateness: Int64) {
        guard lateness > LatenessTally.noticeable else { return }
        late += 1
        if lateness > bound { overBound += 1 }
        worst = max(worst, lateness)
    }

    /// True when the machine was too slow for the condition.
    var isBroken: Bool { overBound >= 5 && overBound * 20 > released }

    /// A note for the record; nil when the lateness is negligible.
    var description: String? {
        guard late * 100 > released else { return nil }
        let counts = "\(min(late, released)) of \(released) left over 1 ms late, the worst by \(Milliseconds(worst))"
        return isBroken ? "the machine was too slow for this condition: \(counts)" : counts
    }
}
