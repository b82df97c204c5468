package import LinkEmulator
package import ScenarioLanguage

/// The rate of one direction of a captured link.
package enum CapturedRate: Hashable, Sendable {
    /// The capture does not have enough data, or the link was faster than a lab's.
    case unknown
    case steady(BitRate)
    case varying(RateTrace)

    /// A smaller transfer fits into the queues of a link, and so does not show its rate.
    private static let leastBytes: Int64 = 15_000
    private static let leastTime: Int64 = 20_000_000
    private static let leastTimeOfTrace: Int64 = 500_000_000
    private static let most = 1e9
    private static let mostStamps = 2_000_000

    /// Measures the rate while data was on its way. A trace has the same rate where the capture shows nothing: there the
    /// client did not ask for more.
    package static func measure(
        _ transfers: [CapturedTransfer], of direction: LinkDirectionName, duration: Int64
    ) -> CapturedRate {
        let usable = transfers.filter { $0.direction == direction && $0.bytes >= leastBytes }
        let busy = union(
            usable.compactMap { transfer in
                guard let first = transfer.pieces.first, let last = transfer.pieces.last, last.time > first.time else {
                    return nil
                }
                return first.time..<last.time
            })
        let time = busy.reduce(0) { $0 + Int64($1.count) }
        // The first piece of a transfer arrived before the measured time.
        let bytes = usable.reduce(0) { $0 + $1.pieces.dropFirst().reduce(0) { $0 + $1.bytes } }
        guard time >= leastTime else { return .unknown }
        let bitsPerSecond = Double(bytes) * 8e9 / Double(time)
        guard bitsPerSecond >= 1000, bitsPerSecond <= most, let rate = BitRate(bitsPerSecond: UInt64(bitsPerSecond))
        else {
            return .unknown
        }
        let stamps = Double(duration) / 1e9 * bitsPerSecond / Double(RateTrace.bytesPerOpportunity * 8)
        guard time >= leastTimeOfTrace, stamps <= Double(mostStamps) else { return .steady(rate) }
        let milliseconds =
            observed(usable) + filled(outside: busy, duration: duration, bitsPerSecond: bitsPerSecond)
        return RateTrace(name: "\(direction.rawValue).trace", milliseconds: milliseconds.sorted())
            .map { .varying($0) } ?? .steady(rate)
    }

    private static func union(_ ranges: [Range<Int64>]) -> [Range<Int64>] {
        ranges.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { joined, range in
            if let last = joined.last, range.lowerBound <= last.upperBound {
                joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
    }

    /// Returns one stamp for each 1,500 bytes that arrived.
    private static func observed(_ transfers: [CapturedTransfer]) -> [UInt32] {
        var credit: Int64 = 0
        var stamps: [UInt32] = []
        for piece in transfers.flatMap(\.pieces).sorted(by: { $0.time < $1.time }) {
            credit += piece.bytes
            while credit >= Int64(RateTrace.bytesPerOpportunity) {
                credit -= Int64(RateTrace.bytesPerOpportunity)
                stamps.append(stamp(piece.time))
            }
        }
        return stamps
    }

    private static func filled(
        outside busy: [Range<Int64>], duration: Int64, bitsPerSecond: Double
    ) -> [UInt32] {
        let step = max(1, Int64(Double(RateTrace.bytesPerOpportunity * 8) * 1e9 / bitsPerSecond))
        var stamps: [UInt32] = []
        for (start, end) in zip([0] + busy.map(\.upperBound), busy.map(\.lowerBound) + [duration]) {
            for time in stride(from: start + step, through: end, by: Int64.Stride(step)) { stamps.append(stamp(time)) }
        }
        return stamps
    }

    private static func stamp(_ time: Int64) -> UInt32 { UInt32(clamping: max(1, time / 1_000_000)) }
}
