/// Everything one direction of one link does to packets, as data.
///
/// Order of effects: down, outage, MTU, loss, then the transmitter (`promotion` and `rate`, behind a queue), then the delay
/// line. A lost packet takes no time on the transmitter, as in netem. Values from outside go through `check` first; a
/// direction takes them as they are.
package struct LinkParameters: Hashable, Sendable {
    package var isUp: Bool
    /// nil transmits in no time.
    package var rate: LinkRate?
    /// What happens when the transmitter has been idle.
    package var promotion: IdlePromotion?
    /// Most bytes that may wait for, or be in, transmission. nil leaves only the packet limit. Without a rate nothing waits.
    package var queueBytes: Int?
    /// Most packets that may wait for, or be in, transmission (Linux's usual `txqueuelen` is 1000).
    package var queuePackets: Int
    package var discipline: QueueDiscipline
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
    /// Longer packets are dropped.
    package var mtu: Int?
    /// Whether the sender is told of a packet that was too long, as `.tooBig`; otherwise its fate is `.swallowedTooBig`, a
    /// path-MTU black hole (RFC 2923 §2.1).
    package var announcesTooBig: Bool
    package var outages: OutagePattern?
    /// What another run decided about each packet, taken in place of everything that is drawn or counted: loss, jitter,
    /// duplication, reordering, corruption, outages and the queue's limits. The MTU stays in force.
    package var replay: ReplayedDecisions?

    package init(
        isUp: Bool = true, rate: LinkRate? = nil, promotion: IdlePromotion? = nil, queueBytes: Int? = nil,
        queuePackets: Int = LinkParameters.defaultQueuePackets, discipline: QueueDiscipline = .dropTail,
        delayNanoseconds: Int64 = 0, jitter: JitterModel? = nil, loss: LossModel = .none, duplicate: Double = 0,
        reorder: Double = 0, corrupt: Double = 0, mtu: Int? = nil, announcesTooBig: Bool = true,
        outages: OutagePattern? = nil, replay: ReplayedDecisions? = nil
    ) {
        self.isUp = isUp
        self.rate = rate
        self.promotion = promotion
        self.queueBytes = queueBytes
        self.queuePackets = queuePackets
        self.discipline = discipline
        self.delayNanoseconds = delayNanoseconds
        self.jitter = jitter
        self.loss = loss
        self.duplicate = duplicate
        self.reorder = reorder
        self.corrupt = corrupt
        self.mtu = mtu
        self.announcesTooBig = announcesTooBig
        self.outages = outages
        self.replay = replay
    }

    package static let defaultQueuePackets = 1000
    /// An ideal wire.
    package static let perfect = LinkParameters()
    /// An unplugged one.
    package static let down = LinkParameters(isUp: false)

    /// Whether a decision is taken per wire packet, so that a segmentation-offload train must be split before it is offered:
    /// otherwise "1 % loss" would take 64 KiB at a time. A rate and a promotion count, because the queue behind them drops
    /// single packets; so does an MTU, because a train is longer than its segments. Outages take what comes at a moment, and
    /// a queue without anything to wait for takes nothing.
    package var needsPerPacketDecision: Bool {
        loss != .none || duplicate > 0 || reorder > 0 || corrupt > 0 || jitter != nil || rate != nil || promotion != nil
            || mtu != nil || replay != nil
    }
}
