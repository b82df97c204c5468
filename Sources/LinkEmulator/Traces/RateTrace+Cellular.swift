package import Units

/// The parameters of a generated trace: a rate that varies around its mean, with gaps in which no packet passes.
package struct CellularShape: Hashable, Sendable {
    /// The mean rate over the whole trace, including the gaps.
    package var meanRate: BitRate
    /// The length of the trace, after which it repeats; whole milliseconds.
    package var duration: Duration
    /// The variation of the rate around its middle, from 0 (steady) to less than 1.
    package var variation: Double
    /// The approximate time in which the rate moves from one extreme to the other.
    package var wandering: Duration
    /// Rare and long gaps without a signal.
    package var outages: Gaps?
    /// Frequent and short gaps at the change between cells.
    package var handovers: Gaps?

    /// Gaps without an opportunity to send, on average `every` apart and `lasting` long; both vary by half.
    package struct Gaps: Hashable, Sendable {
        package var every: Duration
        package var lasting: Duration
        package init(every: Duration, lasting: Duration) {
            self.every = every
            self.lasting = lasting
        }
    }

    package init(
        meanRate: BitRate, duration: Duration = .seconds(60), variation: Double = 0.6,
        wandering: Duration = .seconds(4),
        outages: Gaps? = nil, handovers: Gaps? = nil
    ) {
        self.meanRate = meanRate
        self.duration = duration
        self.variation = variation
        self.wandering = wandering
        self.outages = outages
        self.handovers = handovers
    }
}

extension RateTrace {
    /// Returns a trace of this shape; the same seed gives the same trace on every machine. Returns nil for an
    /// impossible shape: a variation outside 0 ..< 1, a length under a millisecond or over an hour, a rate without a
    /// single packet or with more than `mostStamps`, or gaps that leave no time to send.
    package static func cellular(_ shape: CellularShape, seed: UInt64, name: String) -> RateTrace? {
        let length = Int(shape.duration.nanoseconds / 1_000_000)
        let packets = (Double(shape.meanRate.bitsPerSecond) * Double(length) / Double(bytesPerOpportunity * 8 * 1000))
            .rounded()
        guard (1...3_600_000).contains(length), shape.variation >= 0, shape.variation < 1, packets >= 1,
            packets <= Double(mostStamps), shape.wandering > .zero
        else { return nil }
        var random = TraceRandom(seed: seed)
        var weights = CellularWalk(shape, &random).weights(length, &random)
        for gaps in [shape.outages, shape.handovers] {
            guard let gaps else { continue }
            guard gaps.every > gaps.lasting, gaps.lasting > .zero else { return nil }
            cut(gaps, from: &weights, &random)
        }
        return RateTrace(name: name, milliseconds: stamps(weights, count: Int(packets)))
    }

    private static func cut(_ gaps: CellularShape.Gaps, from weights: inout [Double], _ random: inout TraceRandom) {
        func varied(_ duration: Duration) -> Int {
            max(1, Int(Double(duration.nanoseconds) / 1e6 * (0.5 + random.unit())))
        }
        var place = varied(gaps.every)
        // The last millisecond is never in a gap: the period ends with an opportunity.
        while place < weights.count - 1 {
            let end = min(place + varied(gaps.lasting), weights.count - 1)
            for position in place..<end { weights[position] = 0 }
            place = end + varied(gaps.every)
        }
    }

    /// Distributes exactly `count` opportunities over the milliseconds by their weights; the last is at the end of the
    /// trace.
    private static func stamps(_ weights: [Double], count: Int) -> [UInt32] {
        let all = weights.reduce(0, +)
        var stamps: [UInt32] = []
        stamps.reserveCapacity(count)
        var sum = 0.0
        for (position, weight) in weights.enumerated() where weight > 0 {
            sum += weight
            let due = min(count - 1, Int(sum / all * Double(count)))
            while stamps.count < due { stamps.append(UInt32(position + 1)) }
        }
        stamps.append(contentsOf: repeatElement(UInt32(weights.count), count: count - stamps.count))
        return stamps
    }
}

/// A bounded random walk: steps of equal size, reflected at both ends.
private struct CellularWalk {
    private let variation: Double
    private let step: Double
    private var level: Double
    /// The number of milliseconds between changes of the rate, about a scheduler's reaction time.
    private static let pace = 20

    init(_ shape: CellularShape, _ random: inout TraceRandom) {
        variation = shape.variation
        // A walk of n steps of ±s covers about s·√n; the distance between the ends is 2.
        let steps = max(1, Double(shape.wandering.nanoseconds) / 1e6 / Double(Self.pace))
        step = min(2 / steps.squareRoot(), 1)
        level = 2 * random.unit() - 1
    }

    func weights(_ length: Int, _ random: inout TraceRandom) -> [Double] {
        var level = level
        var weights: [Double] = []
        weights.reserveCapacity(length)
        for position in 0..<length {
            if position % Self.pace == 0 {
                level += random.unit() < 0.5 ? step : -step
                if level > 1 { level = 2 - level }
                if level < -1 { level = -2 - level }
            }
            weights.append(1 + variation * level)
        }
        return weights
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014).
private struct TraceRandom {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    /// Returns a uniformly distributed number in 0 ..< 1.
    mutating func unit() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((z ^ (z >> 31)) >> 11) * 0x1p-53
    }
}
