/// The behaviour of one direction of one link, as data.
///
/// Order of effects: down, outage, MTU, loss, then the transmitter (`promotion` and `rate`, behind a queue), then the
/// delay line. A lost packet takes no time on the transmitter, as in netem. Values from outside must pass `check`
/// first; a direction does not validate them.
package struct LinkParameters: Hashable, Sendable {
    package var isUp: Bool
    /// The rate; nil transmits without taking time.
    package var rate: LinkRate?
    /// The wake-up delay of a transmitter that has been idle.
    package var promotion: IdlePromotion?
    /// Maximum number of bytes that wait for, or are in, transmission. With nil only the packet limit applies. Without
    /// a rate nothing waits.
    package var queueBytes: Int?
    /// Maximum number of packets that wait for, or are in, transmission (Linux's default `txqueuelen` is 1000).
    package var queuePackets: Int
    package var discipline: QueueDiscipline
    /// One-way propagation delay.
    package var delayNanoseconds: Int64
    package var jitter: JitterModel?
    package var loss: LossModel
    /// The share of packets that arrive twice.
    package var duplicate: Double
    /// The share of packets that skip the delay line, and so overtake others.
    package var reorder: Double
    /// The share of packets with one flipped bit.
    package var corrupt: Double
    /// Longer packets are dropped.
    package var mtu: Int?
    /// True if the sender is notified of a packet that was too long, as `.tooBig`. Otherwise its fate is
    /// `.swallowedTooBig`, a path-MTU black hole (RFC 2923 §2.1).
    package var announcesTooBig: Bool
    package var outages: OutagePattern?
    /// The decisions of another run about each packet, which replace everything that is drawn or counted: loss, jitter,
    /// duplication, reordering, corruption, outages and the queue's limits. The MTU still applies.
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
    /// An ideal link.
    package static let perfect = LinkParameters()
    /// A link that is down.
    package static let down = LinkParameters(isUp: false)

    /// True if decisions are made per wire packet, so that a GSO packet must be segmented before it is offered;
    /// otherwise "1 % loss" would lose 64 KiB at a time. A rate and a promotion count, because the queue behind them
    /// drops single packets; so does an MTU, because a GSO packet is longer than its segments. Outages do not count,
    /// because they depend on time alone; nor does a queue in which nothing has to wait.
    package var needsPerPacketDecision: Bool {
        loss != .none || duplicate > 0 || reorder > 0 || corrupt > 0 || jitter != nil || rate != nil || promotion != nil
            || mtu != nil || replay != nil
    }
}
