import LinkEmulator
import Units

/// Link parameters in plain numbers.
extension LinkParameters {
    init(
        isUp: Bool = true, rate: LinkEffect.Rate? = nil, promotion: LinkEffect.Promotion? = nil,
        queueBytes: Int? = nil, queuePackets: Int? = nil, discipline: LinkEffect.Queue.Discipline = .dropTail,
        delayNanoseconds: Int64 = 0, jitter: LinkEffect.Jitter? = nil, loss: LinkEffect.Loss? = nil,
        duplicate: Double = 0, reorder: Double = 0, corrupt: Double = 0, mtu: Int? = nil, announcesTooBig: Bool = true,
        outages: LinkEffect.Outages? = nil, replay: ReplayedDecisions? = nil
    ) {
        self.init(.perfect, swallowsEverything: !isUp)
        self.rate = rate
        self.promotion = promotion
        queue = LinkEffect.Queue(discipline, bytes: queueBytes.map { ByteCount(Int64($0))! }, packets: queuePackets)
        delay = .nanoseconds(delayNanoseconds)
        self.jitter = jitter
        self.loss = loss
        self.duplicate = Probability(duplicate)!
        self.reorder = Probability(reorder)!
        self.corrupt = Probability(corrupt)!
        self.mtu = mtu
        self.announcesTooBig = announcesTooBig
        self.outages = outages
        self.replay = replay
    }
}

extension LinkEffect.Rate {
    static func constant(bitsPerSecond: UInt64) -> Self { .constant(BitRate(bitsPerSecond: bitsPerSecond)!) }
    static func bucket(bitsPerSecond: UInt64, burstBytes: Int64) -> Self {
        .bucket(BitRate(bitsPerSecond: bitsPerSecond)!, burst: ByteCount(burstBytes)!)
    }
    static func trace(milliseconds: [UInt32]) -> Self { .trace(RateTrace(name: "test", milliseconds: milliseconds)!) }
}

extension LinkEffect.Promotion {
    init(delayNanoseconds: Int64, tailNanoseconds: Int64) {
        self.init(delay: .nanoseconds(delayNanoseconds), idleTimeout: .nanoseconds(tailNanoseconds))
    }
}

extension LinkEffect.Jitter {
    init(amountNanoseconds: Int64, distribution: Distribution = .normal, allowsReordering: Bool = false) {
        self.init(
            amount: .nanoseconds(amountNanoseconds), distribution: distribution, allowsReordering: allowsReordering)
    }
}

extension LinkEffect.Loss {
    static func independent(_ share: Double) -> Self { .independent(Probability(share)!) }
    static func gilbertElliott(p: Double, r: Double, lossInBad: Double, lossInGood: Double) -> Self {
        .gilbertElliott(
            p: Probability(p)!, r: Probability(r)!, lossInBad: Probability(lossInBad)!,
            lossInGood: Probability(lossInGood)!)
    }
    static func fading(goodMilliseconds: Int, badMilliseconds: Int, lossInBad: Double, lossInGood: Double) -> Self {
        .fading(
            good: .milliseconds(goodMilliseconds), bad: .milliseconds(badMilliseconds),
            lossInBad: Probability(lossInBad)!, lossInGood: Probability(lossInGood)!)
    }
    static func fourState(p13: Double, p31: Double, p32: Double, p23: Double, p14: Double) -> Self {
        .fourState(
            p13: Probability(p13)!, p31: Probability(p31)!, p32: Probability(p32)!, p23: Probability(p23)!,
            p14: Probability(p14)!)
    }
}

extension LinkEffect.Queue.Discipline {
    static func codel(targetNanoseconds: Int64, intervalNanoseconds: Int64) -> Self {
        .codel(target: .nanoseconds(targetNanoseconds), interval: .nanoseconds(intervalNanoseconds))
    }
}

extension LinkEffect.Outages {
    static func periodic(everyNanoseconds: Int64, lastingNanoseconds: Int64) -> Self {
        .periodic(every: .nanoseconds(everyNanoseconds), lasting: .nanoseconds(lastingNanoseconds))
    }
}

extension LinkEffect.Outages.Window {
    init(fromNanoseconds: Int64, lastingNanoseconds: Int64) {
        self.init(from: .nanoseconds(fromNanoseconds), lasting: .nanoseconds(lastingNanoseconds))
    }
}

extension PacketFate {
    var isDropped: Bool { if case .dropped = outcome { true } else { false } }
}
