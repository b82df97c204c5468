import LinkEmulator
import Scenario

extension LinkParameters {
    /// Converts a condition for the emulator, which can realise every effect exactly. The switch is exhaustive, so a
    /// new effect does not compile until it is handled.
    init(_ condition: Condition, swallowsEverything: Bool = false) {
        self.init()
        for effect in condition.effects {
            switch effect {
            case .rate(let rate): self.rate = LinkRate(rate)
            case .promotion(let wait, let idle):
                promotion = IdlePromotion(delayNanoseconds: wait.nanoseconds, tailNanoseconds: idle.nanoseconds)
            case .delay(let delay, let jitter):
                delayNanoseconds = delay.nanoseconds
                self.jitter = jitter.map(JitterModel.init)
            case .loss(let loss): self.loss = LossModel(loss)
            case .duplicate(let share): duplicate = share.value
            case .reorder(let share): reorder = share.value
            case .corrupt(let share): corrupt = share.value
            case .queue(let queue):
                queueBytes = queue.bytes.map { Int($0.bytes) }
                if let packets = queue.packets { queuePackets = packets }
                discipline = QueueDiscipline(queue.discipline)
            case .mtu(let bytes, let isAnnounced):
                mtu = bytes
                announcesTooBig = isAnnounced
            case .outages(let outages): self.outages = OutagePattern(outages)
            // Filtered packets never reach the link: the packet filter is in front of it.
            case .filter: break
            }
        }
        // A black hole also drops the packets in transit, as when the path behind the interface fails.
        if swallowsEverything { isUp = false }
    }
}

extension LinkParameters {
    /// Converts a condition; refuses invalid numbers by name before any packet is sent.
    static func make(_ condition: Condition, swallowsEverything: Bool) throws(HarnessError) -> LinkParameters {
        let parameters = LinkParameters(condition, swallowsEverything: swallowsEverything)
        do throws(LinkParameterError) {
            try check(parameters)
        } catch {
            throw .cannotExpress(condition: condition.summary, engine: "emulator", reason: "\(error)")
        }
        return parameters
    }
}

extension LinkRate {
    fileprivate init(_ rate: LinkEffect.Rate) {
        switch rate {
        case .constant(let rate): self = .constant(bitsPerSecond: rate.bitsPerSecond)
        case .bucket(let rate, let burst):
            self = .bucket(bitsPerSecond: rate.bitsPerSecond, burstBytes: Int(burst.bytes))
        case .trace(let trace): self = .trace(milliseconds: trace.milliseconds)
        }
    }
}

extension LossModel {
    fileprivate init(_ loss: LinkEffect.Loss) {
        switch loss {
        case .independent(let share): self = .independent(share.value)
        case .gilbertElliott(let p, let r, let inBad, let inGood):
            self = .gilbertElliott(p: p.value, r: r.value, lossInBad: inBad.value, lossInGood: inGood.value)
        case .fourState(let p13, let p31, let p32, let p23, let p14):
            self = .fourState(p13: p13.value, p31: p31.value, p32: p32.value, p23: p23.value, p14: p14.value)
        case .packets(let indexes): self = .packets(Set(indexes))
        }
    }
}

extension QueueDiscipline {
    fileprivate init(_ discipline: LinkEffect.Queue.Discipline) {
        switch discipline {
        case .dropTail: self = .dropTail
        case .headDrop: self = .headDrop
        case .codel(let target, let interval):
            self = .codel(targetNanoseconds: target.nanoseconds, intervalNanoseconds: interval.nanoseconds)
        }
    }
}

extension OutagePattern {
    fileprivate init(_ outages: LinkEffect.Outages) {
        switch outages {
        case .periodic(let every, let lasting):
            self = .periodic(everyNanoseconds: every.nanoseconds, lastingNanoseconds: lasting.nanoseconds)
        case .windows(let windows):
            self = .windows(
                windows.map {
                    OutageWindow(fromNanoseconds: $0.from.nanoseconds, lastingNanoseconds: $0.lasting.nanoseconds)
                })
        }
    }
}

extension JitterModel {
    fileprivate init(_ jitter: LinkEffect.Jitter) {
        let distribution: Distribution =
            switch jitter.distribution {
            case .uniform: .uniform
            case .normal: .normal
            case .pareto: .pareto
            case .table(let quantiles): .table(quantiles)
            }
        self.init(
            amountNanoseconds: jitter.amount.nanoseconds, distribution: distribution,
            allowsReordering: jitter.allowsReordering)
    }
}
