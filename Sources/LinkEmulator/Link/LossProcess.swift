import Units

/// The state of a loss model after the last packet.
struct LossProcess {
    private enum State { case gap, burst, lostInBurst, lostInGap }
    private var isBad = false
    private var state = State.gap
    /// The good (odd) and bad (even) periods that have begun since the start of a model by time, and the end of the last.
    private var periods: UInt64 = 0
    private var periodEnd: Int64

    init(start: LinkTime) { periodEnd = start.nanoseconds }

    /// Returns true if packet `index` is lost. Call it exactly once for every packet of the stream, in order,
    /// regardless of other effects.
    @inline(__always)
    mutating func loses(
        _ index: UInt64, at now: LinkTime, under model: LinkEffect.Loss?, _ random: CounterRandom
    ) -> Bool {
        switch model {
        case nil: return false
        case .independent(let share): return random.happens(share.value, .loss, index)
        case .packets(let indexes): return indexes.contains(index)
        case .gilbertElliott(let p, let r, let lossInBad, let lossInGood):
            let lost = random.happens((isBad ? lossInBad : lossInGood).value, .loss, index)
            // One draw decides in both states, with opposite thresholds. Two runs that differ in one packet therefore
            // return to the same state at the first draw that both decide alike, instead of staying apart.
            let draw = random.unit(.lossState, index)
            isBad = isBad ? draw < 1 - r.value : draw < p.value
            return lost
        case .fading(let good, let bad, let lossInBad, let lossInGood):
            while periodEnd <= now.nanoseconds {
                periods &+= 1
                let mean = Double((periods % 2 == 1 ? good : bad).nanoseconds)
                // The quantile of the exponential distribution; the argument of the logarithm is never zero.
                let length = -mean * naturalLogarithm(1 - random.unit(.lossState, periods))
                periodEnd &+= max(1, Int64(length.rounded()))
            }
            return random.happens((periods % 2 == 1 ? lossInGood : lossInBad).value, .loss, index)
        case .fourState(let p13, let p31, let p32, let p23, let p14):
            let draw = random.unit(.lossState, index)
            switch state {
            case .gap: state = draw < p14.value ? .lostInGap : draw < p14.value + p13.value ? .lostInBurst : .gap
            case .burst: state = draw < p23.value ? .lostInBurst : .burst
            case .lostInBurst: state = draw < p32.value ? .burst : draw < p32.value + p31.value ? .gap : .lostInBurst
            case .lostInGap: state = .gap
            }
            return state == .lostInBurst || state == .lostInGap
        }
    }

}
