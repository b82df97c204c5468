/// The memory of a loss model: which Gilbert–Elliott state the next packet meets.
struct LossProcess {
    private var isBad = false

    /// Judges packet `index`; must be asked once for every packet of the stream, in order, whatever else befalls it.
    @inline(__always)
    mutating func loses(_ index: UInt64, under model: LossModel, _ random: CounterRandom) -> Bool {
        switch model {
        case .none: return false
        case .independent(let share): return random.happens(share, .loss, index)
        case .packets(let indexes): return indexes.contains(index)
        case .gilbertElliott(let p, let r, let lossInBad, let lossInGood):
            let lost = random.happens(isBad ? lossInBad : lossInGood, .loss, index)
            // One draw serves both states from opposite ends, so two runs that differ in one packet fall back into the same
            // state at the first draw that both judge alike, instead of staying apart.
            let draw = random.unit(.lossState, index)
            isBad = isBad ? draw < 1 - r : draw < p
            return lost
        }
    }

    mutating func restart() { isBad = false }
}
