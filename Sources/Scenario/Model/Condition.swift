/// One physical thing that can happen to packets of one direction. A new case makes the compiler name both link engines.
package enum LinkEffect: Hashable, Sendable {
    /// Serialisation at this rate in front of the propagation delay; bytes of layer 3.
    case rate(BitRate)
    /// One-way propagation delay.
    case delay(Duration, jitter: Jitter?)
    case loss(Loss)
    case duplicate(Probability)
    /// This share of packets skips the delay and so overtakes.
    case reorder(Probability)
    /// This share of packets has one bit flipped.
    case corrupt(Probability)
    /// Tail drop beyond either limit; nil leaves that limit at the engine's default.
    case queue(bytes: ByteCount?, packets: Int?)
    case mtu(Int)
    /// Nothing passes for the last `lasting` of each `every`, while the interface stays up (a drop-out).
    case outages(every: Duration, lasting: Duration)

    package struct Jitter: Hashable, Sendable {
        package enum Distribution: String, CaseIterable, Hashable, Sendable { case uniform, normal, pareto }
        package var amount: Duration
        package var distribution: Distribution
        /// Without it a packet never leaves before an earlier one.
        package var allowsReordering: Bool
        package init(amount: Duration, distribution: Distribution = .normal, allowsReordering: Bool = false) {
            self.amount = amount
            self.distribution = distribution
            self.allowsReordering = allowsReordering
        }
    }

    package enum Loss: Hashable, Sendable {
        case independent(Probability)
        /// P(good→bad) = p, P(bad→good) = r, with the loss in each state (Gilbert–Elliott).
        case gilbertElliott(p: Probability, r: Probability, inBad: Probability, inGood: Probability)
        /// Exactly these packets of the direction, counted from 0.
        case packets([UInt64])
    }
}

/// The state of one link in one direction; at most one effect of each kind.
package struct Condition: Hashable, Sendable {
    package var effects: [LinkEffect]
    package init(_ effects: [LinkEffect] = []) { self.effects = effects }
    /// An ideal wire.
    package static let perfect = Condition()
}

/// A named condition for both directions, with where its numbers come from.
package struct LinkProfile: Hashable, Sendable {
    package var name: String
    package var summary: String
    /// Who published the numbers, and whether delay was stated one-way or as a round trip.
    package var source: String
    /// Towards the client.
    package var down: Condition
    /// From the client.
    package var up: Condition
    package init(name: String, summary: String, source: String, down: Condition, up: Condition) {
        self.name = name
        self.summary = summary
        self.source = source
        self.down = down
        self.up = up
    }
}
