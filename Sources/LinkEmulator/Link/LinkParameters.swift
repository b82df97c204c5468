package import Units

/// The condition of one direction of one link in the form that the emulator uses: one field for each kind of effect.
///
/// Order of effects: down, outage, MTU, loss, then the transmitter (`promotion` and `rate`, behind a queue), then the
/// delay line. A lost packet takes no time on the transmitter, as in netem. Values from outside must pass `check`
/// first; a direction does not validate them.
package struct LinkParameters: Hashable, Sendable {
    package var isUp = true
    /// The rate; nil transmits without taking time.
    package var rate: LinkEffect.Rate?
    package var promotion: LinkEffect.Promotion?
    /// Without a rate nothing waits.
    package var queue = LinkEffect.Queue()
    /// One-way propagation delay.
    package var delay = Duration.zero
    package var jitter: LinkEffect.Jitter?
    package var loss: LinkEffect.Loss?
    package var duplicate = Probability.zero
    package var reorder = Probability.zero
    package var corrupt = Probability.zero
    /// Longer packets are dropped.
    package var mtu: Int?
    /// True if the sender is notified of a packet that was too long, as `.tooBig`. Otherwise its fate is
    /// `.swallowedTooBig`, a path-MTU black hole (RFC 2923 §2.1).
    package var announcesTooBig = true
    package var outages: LinkEffect.Outages?
    /// The rules of the packet filter in front of the link.
    package var filter: [PacketRule] = []
    /// The decisions of another run about each packet, which replace everything that is drawn or counted: loss, jitter,
    /// duplication, reordering, corruption, outages and the queue's limits. The MTU still applies.
    package var replay: ReplayedDecisions?

    /// Converts a condition; the emulator can realise every effect exactly. The switch is exhaustive, so a new effect
    /// does not compile until it is handled.
    ///
    /// - Parameter swallowsEverything: drops every packet, also those in transit, as when the path behind the interface
    ///   fails.
    package init(_ condition: Condition, swallowsEverything: Bool = false) {
        isUp = !swallowsEverything
        for effect in condition.effects {
            switch effect {
            case .rate(let rate): self.rate = rate
            case .promotion(let promotion): self.promotion = promotion
            case .delay(let delay, let jitter): (self.delay, self.jitter) = (delay, jitter)
            case .loss(let loss): self.loss = loss
            case .duplicate(let share): duplicate = share
            case .reorder(let share): reorder = share
            case .corrupt(let share): corrupt = share
            case .queue(let queue): self.queue = queue
            case .mtu(let bytes, let isAnnounced): (mtu, announcesTooBig) = (bytes, isAnnounced)
            case .outages(let outages): self.outages = outages
            case .filter(let rules): filter = rules
            }
        }
    }

    /// An ideal link.
    package static let perfect = LinkParameters(.perfect)
    /// A link that is down.
    package static let down = LinkParameters(.perfect, swallowsEverything: true)

    /// True if the link decides about each wire packet, so that a GSO packet must be segmented before it is offered;
    /// otherwise "1 % loss" would lose 64 KiB at a time. A rate and a promotion count, because the queue behind them
    /// drops single packets; so does an MTU, because a GSO packet is longer than its segments. Outages do not count,
    /// because they depend on time alone; nor does a queue in which nothing has to wait.
    package var needsSinglePackets: Bool {
        loss != nil || duplicate > .zero || reorder > .zero || corrupt > .zero || jitter != nil || rate != nil
            || promotion != nil || mtu != nil || replay != nil
    }

    // MARK: - Check

    /// Above a petabit per second one bit takes less than a millionth of a nanosecond.
    package static let highestRate: UInt64 = 1_000_000_000_000_000
    /// Keeps every sum of times far from overflow.
    package static let longestDuration: Int64 = 3_600_000_000_000
    /// Keeps amount times quantile far from overflow.
    package static let furthestQuantile = 1000.0
    /// A larger offset can only come from a damaged decision log.
    static let furthestOffset = Int64(furthestQuantile) * longestDuration

    /// The shortest mean of a period of the loss model by time: after a silent hour, millions of shorter ones would be
    /// drawn for one packet.
    package static let shortestPeriod: Int64 = 1_000_000

    /// Throws an error for the first invalid parameter.
    package static func check(_ parameters: LinkParameters) throws(LinkParameterError) {
        if case .fourState(let p13, let p31, let p32, _, let p14) = parameters.loss {
            // 0.3 + 0.7 must not fail because of the last bit of a Double.
            for (fields, sum) in [
                ("loss p13 and p14", p13.value + p14.value), ("loss p31 and p32", p31.value + p32.value),
            ] where sum > 1 + 0x1p-50 {
                throw .sharesExceedOne(fields: fields, sum: sum)
            }
        }
        if case .fading(let good, let bad, _, _) = parameters.loss {
            for (period, field) in [(good, "good period"), (bad, "bad period")] {
                try check(period, field)
                guard period.nanoseconds >= shortestPeriod else {
                    throw .periodTooShort(field: field, nanoseconds: period.nanoseconds)
                }
            }
        }
        if let rate = parameters.rate { try check(rate) }
        if let promotion = parameters.promotion {
            try check(promotion.delay, "promotion delay")
            try check(promotion.idleTimeout, "promotion tail")
        }
        if let bytes = parameters.queue.bytes { try checkPositive(bytes.bytes, "queueBytes") }
        if let packets = parameters.queue.packets { try checkPositive(Int64(packets), "queuePackets") }
        switch parameters.queue.discipline {
        case .dropTail, .headDrop: break
        case .codel(let target, let interval):
            for (duration, field) in [(target, "CoDel target"), (interval, "CoDel interval")] {
                try checkPositive(duration.nanoseconds, field)
                try check(duration, field)
            }
        }
        if let mtu = parameters.mtu { try checkPositive(Int64(mtu), "mtu") }
        try check(parameters.delay, "delay")
        if let jitter = parameters.jitter {
            try check(jitter.amount, "jitter")
            if case .table(let quantiles) = jitter.distribution { try check(quantiles: quantiles) }
        }
        if let outages = parameters.outages { try check(outages) }
    }

    private static func check(_ rate: LinkEffect.Rate) throws(LinkParameterError) {
        switch rate {
        case .constant(let rate): try check(rate)
        case .bucket(let rate, let burst):
            try check(rate)
            try checkPositive(burst.bytes, "burst")
            guard Double(burst.bytes) * 8e9 / Double(rate.bitsPerSecond) <= Double(longestDuration) else {
                throw .burstTooLong(bytes: Int(burst.bytes), bitsPerSecond: rate.bitsPerSecond)
            }
        case .trace: break
        }
    }

    private static func check(_ rate: BitRate) throws(LinkParameterError) {
        guard rate.bitsPerSecond <= highestRate else { throw .rateTooHigh(rate.bitsPerSecond) }
    }

    private static func check(quantiles: [Double]) throws(LinkParameterError) {
        guard quantiles.count >= 2 else { throw .quantilesTooFew(quantiles.count) }
        for position in quantiles.indices {
            // A NaN fails the comparison too.
            guard quantiles[position].magnitude <= furthestQuantile else {
                throw .quantileOutsideRange(position: position, value: quantiles[position])
            }
            guard position == 0 || quantiles[position - 1] <= quantiles[position] else {
                throw .quantilesOutOfOrder(position: position)
            }
        }
    }

    private static func check(_ outages: LinkEffect.Outages) throws(LinkParameterError) {
        switch outages {
        case .periodic(let every, let lasting):
            try checkPositive(every.nanoseconds, "outage period")
            try check(lasting, "outage")
            guard lasting < every else {
                throw .outageLongerThanPeriod(
                    everyNanoseconds: every.nanoseconds, lastingNanoseconds: lasting.nanoseconds)
            }
        case .windows(let windows):
            var end: Int64 = 0
            for (position, window) in windows.enumerated() {
                let (from, lasting) = (window.from.nanoseconds, window.lasting.nanoseconds)
                guard from >= 0 else { throw .negative(field: "outage begin", value: from) }
                try checkPositive(lasting, "outage")
                guard from >= end else { throw .outagesOutOfOrder(position: position) }
                let (sum, overflow) = from.addingReportingOverflow(lasting)
                guard !overflow else { throw .durationTooLong(field: "outage", nanoseconds: lasting) }
                end = sum
            }
        }
    }

    private static func checkPositive(_ value: Int64, _ field: String) throws(LinkParameterError) {
        guard value > 0 else { throw .mustBePositive(field: field, value: value) }
    }
    private static func check(_ duration: Duration, _ field: String) throws(LinkParameterError) {
        let value = duration.nanoseconds
        guard value >= 0 else { throw .negative(field: field, value: value) }
        guard value <= longestDuration else { throw .durationTooLong(field: field, nanoseconds: value) }
    }
}
