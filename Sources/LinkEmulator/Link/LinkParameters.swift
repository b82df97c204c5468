/// Everything one direction of one link does to packets, as data.
///
/// Order of effects: down or outage, MTU, loss, then the transmitter (`rate`, behind a tail-drop queue), then the delay
/// line. A lost packet takes no time on the transmitter, as in netem. Values from outside go through `check` first; a
/// direction takes them as they are.
package struct LinkParameters: Hashable, Sendable {
    package var isUp: Bool
    /// Bits of layer 3 per second; nil transmits in no time.
    package var rateBitsPerSecond: UInt64?
    /// Most bytes that may wait for, or be in, transmission. nil leaves only the packet limit. Without a rate nothing waits.
    package var queueBytes: Int?
    /// Most packets that may wait for, or be in, transmission (Linux's usual `txqueuelen` is 1000).
    package var queuePackets: Int
    /// One-way propagation delay.
    package var delayNanoseconds: Int64
    package var jitter: JitterModel?
    package var loss: LossModel
    /// This share of packets arrives twice.
    package var duplicate: Double
    /// This share of packets skips the delay line, and so overtakes.
    package var reorder: Double
    /// This share of packets has one bit flipped.
    package var corrupt: Double
    /// Longer packets are dropped; the caller may answer with `TooBigReply`.
    package var mtu: Int?
    package var outages: OutagePattern?

    package init(
        isUp: Bool = true, rateBitsPerSecond: UInt64? = nil, queueBytes: Int? = nil,
        queuePackets: Int = LinkParameters.defaultQueuePackets, delayNanoseconds: Int64 = 0, jitter: JitterModel? = nil,
        loss: LossModel = .none, duplicate: Double = 0, reorder: Double = 0, corrupt: Double = 0, mtu: Int? = nil,
        outages: OutagePattern? = nil
    ) {
        self.isUp = isUp
        self.rateBitsPerSecond = rateBitsPerSecond
        self.queueBytes = queueBytes
        self.queuePackets = queuePackets
        self.delayNanoseconds = delayNanoseconds
        self.jitter = jitter
        self.loss = loss
        self.duplicate = duplicate
        self.reorder = reorder
        self.corrupt = corrupt
        self.mtu = mtu
        self.outages = outages
    }

    package static let defaultQueuePackets = 1000
    /// An ideal wire.
    package static let perfect = LinkParameters()
    /// An unplugged one.
    package static let down = LinkParameters(isUp: false)

    /// Whether a decision is taken per wire packet, so that a segmentation-offload train must be split before it is offered:
    /// otherwise "1 % loss" would take 64 KiB at a time. A rate counts, because the queue drops single packets; so does an
    /// MTU, because a train is longer than its segments.
    package var needsPerPacketDecision: Bool {
        loss != .none || duplicate > 0 || reorder > 0 || corrupt > 0 || jitter != nil || rateBitsPerSecond != nil || mtu != nil
    }
}

/// How the delay of single packets strays from the link's delay.
package struct JitterModel: Hashable, Sendable {
    /// Shapes as netem has them, around the link's delay; a total below zero becomes zero.
    package enum Distribution: Hashable, Sendable, CaseIterable {
        /// Evenly within ± the amount.
        case uniform
        /// The amount is one standard deviation.
        case normal
        /// netem's table: (x − 1.5)·4/3 amounts for x Pareto-distributed with shape 3, cut at 4 amounts. Mean about zero,
        /// never below −2/3 of the amount, a long tail upwards.
        case pareto
    }
    package var amountNanoseconds: Int64
    package var distribution: Distribution
    /// Without it a packet is never released before an earlier one.
    package var allowsReordering: Bool

    package init(amountNanoseconds: Int64, distribution: Distribution = .normal, allowsReordering: Bool = false) {
        self.amountNanoseconds = amountNanoseconds
        self.distribution = distribution
        self.allowsReordering = allowsReordering
    }
}

/// Which packets never arrive.
package enum LossModel: Hashable, Sendable {
    case none
    case independent(Double)
    /// P(good→bad) = p and P(bad→good) = r per packet, with the loss in each state. Starts good.
    /// Mean burst of the bad state 1/r, share of it p/(p+r) (Haßlinger & Hohlfeld 2008; netem `loss gemodel`).
    case gilbertElliott(p: Double, r: Double, lossInBad: Double, lossInGood: Double)
    /// Exactly these packets of the direction, counted from 0.
    case packets(Set<UInt64>)
}

/// Nothing passes for the last `lastingNanoseconds` of each `everyNanoseconds`, while the interface stays up.
///
/// The period starts when the pattern comes into force; a change that keeps the pattern keeps its phase.
package struct OutagePattern: Hashable, Sendable {
    package var everyNanoseconds: Int64
    package var lastingNanoseconds: Int64

    package init(everyNanoseconds: Int64, lastingNanoseconds: Int64) {
        self.everyNanoseconds = everyNanoseconds
        self.lastingNanoseconds = lastingNanoseconds
    }

    func isOut(at time: LinkTime, since start: LinkTime) -> Bool {
        let phase = (time - start) % everyNanoseconds
        return phase >= everyNanoseconds - lastingNanoseconds
    }
}
