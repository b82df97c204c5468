/// The rule that selects the lost packets.
package enum LossModel: Hashable, Sendable {
    case none
    case independent(Double)
    /// P(good→bad) = p and P(bad→good) = r per packet, with the loss in each state. Starts in the good state. The mean
    /// burst of the bad state is 1/r, its share p/(p+r) (Haßlinger & Hohlfeld 2008; netem `loss gemodel`).
    case gilbertElliott(p: Double, r: Double, lossInBad: Double, lossInGood: Double)
    /// Four states (netem `loss state`): 1 received in a gap, 2 received within a burst, 3 lost within a burst, 4
    /// isolated loss in a gap. pij is the probability per packet of a transition from i to j; state 4 always leads to
    /// 1. Starts in 1, and each packet is judged by the state that its own draw leads to.
    case fourState(p13: Double, p31: Double, p32: Double, p23: Double, p14: Double)
    /// Exactly these packets of the direction, counted from 1.
    case packets(Set<UInt64>)
}
