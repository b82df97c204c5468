/// One physical effect on the packets of one direction. For a new case the compiler requires an implementation in both
/// link engines.
package enum LinkEffect: Hashable, Sendable {
    /// Serialisation before the propagation delay, counted in bytes of layer 3.
    case rate(Rate)
    /// After `idle` without a packet, the next packet is delayed by this time, as when a radio is promoted from idle.
    case promotion(Duration, idle: Duration)
    /// One-way propagation delay.
    case delay(Duration, jitter: Jitter?)
    case loss(Loss)
    case duplicate(Probability)
    /// This share of packets skips the delay and so overtakes earlier packets.
    case reorder(Probability)
    /// This share of packets has one bit flipped.
    case corrupt(Probability)
    case queue(Queue)
    /// Longer packets are dropped; unless the size is announced (ICMP), that is a path-MTU black hole (RFC 2923 §2.1).
    case mtu(Int, isAnnounced: Bool)
    /// Periods in which no packet passes while the interface stays up (drop-outs).
    case outages(Outages)
    /// Rules for packets that are selected by their kind.
    case filter([PacketRule])

    package static func rate(_ rate: BitRate) -> LinkEffect { .rate(.constant(rate)) }
    package static func queue(bytes: ByteCount?, packets: Int?) -> LinkEffect {
        .queue(Queue(bytes: bytes, packets: packets))
    }
    package static func mtu(_ bytes: Int) -> LinkEffect { .mtu(bytes, isAnnounced: true) }
    package static func outages(every: Duration, lasting: Duration) -> LinkEffect {
        .outages(.periodic(every: every, lasting: lasting))
    }

    package enum Rate: Hashable, Sendable {
        case constant(BitRate)
        /// After a pause, this many bytes pass at once.
        case bucket(BitRate, burst: ByteCount)
        case trace(RateTrace)
    }

    package struct Jitter: Hashable, Sendable {
        package enum Distribution: Hashable, Sendable {
            case uniform, normal, pareto
            /// Evenly spaced quantiles from 0 to 1, in units of the amount, joined by straight lines; at least two, in
            /// ascending order.
            case table([Double])
        }
        package var amount: Duration
        package var distribution: Distribution
        /// If false, a packet never leaves before an earlier one.
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
        /// netem's four states: 1 received, 2 received within a burst, 3 lost within a burst, 4 lost by itself.
        case fourState(p13: Probability, p31: Probability, p32: Probability, p23: Probability, p14: Probability)
        /// Exactly these packets of the direction, counted from 1.
        case packets([UInt64])
    }

    /// The queue in front of the transmitter.
    package struct Queue: Hashable, Sendable {
        package enum Discipline: Hashable, Sendable {
            /// Packets that arrive at a full queue are dropped.
            case dropTail
            /// The packet that has waited longest is dropped.
            case headDrop
            /// RFC 8289.
            case codel(target: Duration, interval: Duration)
        }
        package var discipline: Discipline
        /// nil leaves that limit at the engine's default.
        package var bytes: ByteCount?
        package var packets: Int?
        package init(_ discipline: Discipline = .dropTail, bytes: ByteCount? = nil, packets: Int? = nil) {
            self.discipline = discipline
            self.bytes = bytes
            self.packets = packets
        }
    }

    package enum Outages: Hashable, Sendable {
        /// An outage in the last `lasting` of each period of `every`.
        case periodic(every: Duration, lasting: Duration)
        /// Outages measured from the start of the condition; ascending and not overlapping.
        case windows([Window])

        package struct Window: Hashable, Sendable {
            package var from: Duration
            package var lasting: Duration
            package init(from: Duration, lasting: Duration) {
                self.from = from
                self.lasting = lasting
            }
        }
    }
}

/// The state of one link in one direction; at most one effect of each kind.
package struct Condition: Hashable, Sendable {
    package var effects: [LinkEffect]
    package init(_ effects: [LinkEffect] = []) { self.effects = effects }
    /// An ideal wire.
    package static let perfect = Condition()
}
