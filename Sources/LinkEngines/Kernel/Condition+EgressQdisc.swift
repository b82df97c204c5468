import ScenarioLanguage
import Units
import LabKernel
import LinkEmulator

extension EgressQdisc {
    /// Converts a condition that the kernel can realise exactly; refuses any other with the reason. The switch is
    /// exhaustive, so a new effect does not compile until it is handled.
    static func make(_ condition: Condition, swallowsEverything: Bool) throws(LabError) -> EgressQdisc {
        if swallowsEverything { return .blackhole }
        var netem = NetemQdisc()
        var needsNetem = false
        var rate: BitRate?
        var burstBytes: Int?
        var queue = LinkEffect.Queue()
        func refuse(_ effect: LinkEffect, _ reason: String) -> LabError {
            .cannotExpress(condition: effect.summary, engine: "kernel", reason: reason)
        }
        for effect in condition.effects {
            switch effect {
            case .rate(.constant(let requested)): rate = requested
            case .rate(.bucket(let requested, let burst)):
                guard burst.bytes >= TokenBucketQdisc.longestPacket else {
                    throw refuse(effect, "a token bucket drops packets that are longer than its burst")
                }
                rate = requested
                burstBytes = Int(clamping: burst.bytes)
            case .rate(.trace): throw refuse(effect, "the kernel cannot replay traces")
            case .promotion: throw refuse(effect, "the kernel does not support promotion from idle")
            case .filter: throw refuse(effect, "the kernel engine cannot select packets")
            case .delay(let delay, let jitter):
                needsNetem = true
                netem.delay = delay.nanoseconds
                guard let jitter else { break }
                // With a rate of its own, netem releases packets in order (sch_netem.c, netem_enqueue).
                if !jitter.allowsReordering { netem.bytesPerSecond = NetemQdisc.orderKeepingRate }
                netem.jitter = jitter.amount.nanoseconds
                netem.distribution =
                    switch jitter.distribution {
                    case .uniform: .uniform
                    case .normal: .normal
                    case .pareto: .pareto
                    case .table(let quantiles): .table(quantiles)
                    }
                // A table may exceed the range of netem's numbers.
                let stretch = netem.distribution.stretch
                guard Double(netem.jitter) * stretch < 0x1p62 else {
                    throw refuse(effect, "jitter times the table's widest quantile exceeds the range of netem")
                }
                netem.jitter = Int64((Double(netem.jitter) * stretch).rounded())
            case .loss(.independent(let share)):
                needsNetem = true
                netem.loss = .independent(share.value)
            case .loss(.gilbertElliott(let p, let r, let lossInBad, let lossInGood)):
                needsNetem = true
                netem.loss = .gilbertElliott(
                    toBad: p.value, toGood: r.value, lossInBad: lossInBad.value, lossInGood: lossInGood.value)
            case .loss(.fading):
                throw refuse(effect, "netem counts bursts in packets; give `bursts` with p and r, or use the emulator")
            case .loss(.fourState(let p13, let p31, let p32, let p23, let p14)):
                guard p13.value + p14.value <= 1 + 0x1p-50, p31.value + p32.value <= 1 + 0x1p-50 else {
                    throw refuse(effect, "p13 and p14, and p31 and p32, can each add up to at most 1")
                }
                needsNetem = true
                netem.loss = .fourState(p13: p13.value, p31: p31.value, p32: p32.value, p23: p23.value, p14: p14.value)
            case .loss(.packets): throw refuse(effect, "netem cannot drop packets by number")
            case .duplicate(let share):
                needsNetem = true
                netem.duplicate = share.value
            case .reorder(let share):
                needsNetem = true
                netem.reorder = share.value
            case .corrupt(let share):
                needsNetem = true
                netem.corrupt = share.value
            case .queue(let requested):
                switch requested.discipline {
                case .dropTail: break
                case .headDrop, .codel:
                    guard requested.bytes == nil else {
                        throw refuse(
                            effect, "a queue that drops its head, or by CoDel, counts packets here; leave out the bytes"
                        )
                    }
                }
                queue = requested
            case .mtu: throw refuse(effect, "a veth does not have its own path MTU")
            case .outages: throw refuse(effect, "the kernel does not support scheduled outages")
            }
        }
        if let bytes = queue.bytes, let packets = queue.packets {
            throw refuse(
                .queue(bytes: bytes, packets: packets), "a token bucket's queue counts bytes or packets, not both")
        }
        let bucket = rate.map {
            TokenBucketQdisc(
                rate: $0, burstBytes: burstBytes ?? TokenBucketQdisc.burstBytes(at: $0), queue)
        }
        if !needsNetem { return bucket.map(EgressQdisc.tokenBucket) ?? .none }
        // Packets in transit count toward netem's limit; the requested queue is that of the bottleneck.
        netem.limit = 100_000
        return .netem(netem, bottleneck: bucket)
    }
}

extension NetemQdisc {
    /// 320 Gbit/s: a packet of 1,500 bytes takes 38 ns.
    static let orderKeepingRate: UInt64 = 40_000_000_000
}

extension TokenBucketQdisc {
    /// Returns the burst of a token bucket that approximates a serial line: two packets, or ten milliseconds at high
    /// rates, so that a late timer does not reduce the rate.
    static func burstBytes(at rate: BitRate) -> Int { Int(clamping: max(3_000, rate.bitsPerSecond / 800)) }

    /// The longest layer 3 packet that a veth carries.
    fileprivate static let longestPacket: Int64 = 1_500

    /// Converts a rate; like the condition, it counts layer 3 bytes.
    fileprivate init(rate: BitRate, burstBytes: Int, _ queue: LinkEffect.Queue) {
        let bytesPerSecond = max(rate.bitsPerSecond / 8, 1)
        let packets = queue.packets ?? LinkEffect.Queue.usualPackets
        let discipline: Discipline =
            switch queue.discipline {
            case .dropTail: .dropTail
            case .headDrop: .headDrop
            case .codel(let target, let interval): .codel(target: target.nanoseconds, interval: interval.nanoseconds)
            }
        self.init(
            bytesPerSecond: bytesPerSecond, burstBytes: UInt32(clamping: burstBytes),
            queueBytes: UInt32(clamping: queue.bytes?.bytes ?? Int64(packets) * 1_500),
            queuePackets: queue.bytes == nil ? UInt32(clamping: packets) : nil, discipline: discipline,
            uncountedHeader: KernelEngine.linkHeader)
    }
}
