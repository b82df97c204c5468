package import Units

/// One physical effect on the packets of one direction. For a new case the compiler requires an implementation in both
/// link engines.
package enum LinkEffect: Hashable, Sendable {
    /// Serialisation before the propagation delay, counted in bytes of layer 3.
    case rate(Rate)
    case promotion(Promotion)
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
    package static func promotion(_ delay: Duration, idle: Duration) -> LinkEffect {
        .promotion(Promotion(delay: delay, idleTimeout: idle))
    }
    package static func queue(bytes: ByteCount?, packets: Int?) -> LinkEffect {
        .queue(Queue(bytes: bytes, packets: packets))
    }
    package static func mtu(_ bytes: Int) -> LinkEffect { .mtu(bytes, isAnnounced: true) }
    package static func outages(every: Duration, lasting: Duration) -> LinkEffect {
        .outages(.periodic(every: every, lasting: lasting))
    }

    /// The longest time by which the effect usually delays a packet; a queue's delay depends on the traffic.
    package var longestDelay: Duration {
        switch self {
        case .promotion(let promotion): promotion.delay
        case .delay(let delay, let jitter): delay + (jitter?.amount ?? .zero) * 4
        case .rate, .loss, .duplicate, .reorder, .corrupt, .queue, .mtu, .outages, .filter: .zero
        }
    }

    /// The rate of a link whose rate is constant; nil for a trace and for other effects.
    package var constantRate: BitRate? {
        switch self {
        case .rate(.constant(let rate)), .rate(.bucket(let rate, burst: _)): rate
        case .rate(.trace), .promotion, .delay, .loss, .duplicate, .reorder, .corrupt, .queue, .mtu, .outages, .filter:
            nil
        }
    }

    package enum Rate: Hashable, Sendable {
        /// A serial line: one packet after the other, each for the duration of its bits.
        case constant(BitRate)
        /// A token bucket: unused capacity is saved, and after a pause this many bytes pass at once. A longer packet
        /// waits until the bytes beyond the bucket have been saved as well.
        case bucket(BitRate, burst: ByteCount)
        /// Several packets share an opportunity, a packet larger than the rest continues in the next, and an
        /// opportunity without a waiting packet is lost. A change that keeps the trace keeps its position.
        case trace(RateTrace)
    }

    /// The wake-up delay of an idle radio: the first packet after a pause waits for the channel, and later packets wait
    /// behind it.
    ///
    /// The link starts idle, and becomes idle again when no packet has arrived or been sent for `idleTimeout`. Probes
    /// neither wake it nor keep it awake.
    package struct Promotion: Hashable, Sendable {
        package var delay: Duration
        package var idleTimeout: Duration
        package init(delay: Duration, idleTimeout: Duration) {
            self.delay = delay
            self.idleTimeout = idleTimeout
        }
    }

    /// The random deviation of single packets from the link's delay.
    package struct Jitter: Hashable, Sendable {
        /// The distributions of netem, centred on the link's delay; a negative total becomes zero.
        package enum Distribution: Hashable, Sendable {
            /// Uniform within ± the amount.
            case uniform
            /// The amount is one standard deviation.
            case normal
            /// netem's table: (x − 1.5)·4/3 amounts for x Pareto-distributed with shape 3, cut at 4 amounts. Mean about
            /// zero, never below −2/3 of the amount, a long tail upwards.
            case pareto
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
        /// P(good→bad) = p and P(bad→good) = r per packet, with the loss in each state. Starts in the good state. The
        /// mean burst of the bad state is 1/r, its share p/(p+r) (Haßlinger & Hohlfeld 2008; netem `loss gemodel`).
        case gilbertElliott(p: Probability, r: Probability, lossInBad: Probability, lossInGood: Probability)
        /// Gilbert–Elliott in continuous time: good and bad periods alternate, each of exponential duration with this
        /// mean, whether packets flow or not (the error unit `time` of ns-2's two-state error model). Starts with a good
        /// period when the condition takes effect. The share of the bad state is bad/(good+bad).
        case fading(good: Duration, bad: Duration, lossInBad: Probability, lossInGood: Probability)
        /// Four states (netem `loss state`): 1 received in a gap, 2 received within a burst, 3 lost within a burst, 4
        /// isolated loss in a gap. pij is the probability per packet of a transition from i to j; state 4 always leads
        /// to 1. Starts in 1, and each packet is judged by the state that its own draw leads to.
        case fourState(p13: Probability, p31: Probability, p32: Probability, p23: Probability, p14: Probability)
        /// Exactly these packets of this direction, counted from 1.
        case packets(Set<UInt64>)
    }

    /// The queue in front of the transmitter.
    package struct Queue: Hashable, Sendable {
        package enum Discipline: Hashable, Sendable {
            /// Drops the arriving packet at a full queue.
            case dropTail
            /// Drops the packets that have waited longest, until there is room for the arriving one.
            case headDrop
            /// Drops departing packets after the minimum delay of a whole interval exceeded the target (RFC 8289). A
            /// packet that arrives at a full queue is dropped as well.
            case codel(target: Duration, interval: Duration)

            /// The default target and interval of RFC 8289 §4.4.
            package static let codel = Discipline.codel(target: .milliseconds(5), interval: .milliseconds(100))
        }
        package var discipline: Discipline
        /// The largest number of bytes that wait for, or are in, transmission; with nil only the packet limit applies.
        package var bytes: ByteCount?
        /// The largest number of packets; nil: the number that a Linux interface queues (`txqueuelen`).
        package var packets: Int?
        package static let usualPackets = 1000
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
