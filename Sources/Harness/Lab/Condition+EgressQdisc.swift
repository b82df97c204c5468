import LinkEmulator
import LinuxNet
import Scenario

extension EgressQdisc {
    /// What the kernel can do exactly; anything else is refused with the reason. A new effect stops the compiler here.
    static func make(_ condition: Condition, swallowsEverything: Bool) throws(HarnessError) -> EgressQdisc {
        if swallowsEverything { return .blackhole }
        var netem = NetemQdisc()
        var needsNetem = false
        var rate: BitRate?
        var queue: (bytes: ByteCount?, packets: Int?) = (nil, nil)
        func refuse(_ effect: LinkEffect, _ reason: String) -> HarnessError {
            .cannotExpress(condition: effect.summary, engine: "kernel", reason: reason)
        }
        for effect in condition.effects {
            switch effect {
            case .rate(.constant(let asked)): rate = asked
            case .rate(.bucket): throw refuse(effect, "not yet mapped")
            case .rate(.trace): throw refuse(effect, "the kernel plays no traces")
            case .promotion: throw refuse(effect, "the kernel knows no promotion from idle")
            case .loss(.fourState): throw refuse(effect, "not yet mapped")
            case .filter: throw refuse(effect, "the kernel engine picks no packets")
            case .delay(let delay, let jitter):
                needsNetem = true
                netem.delay = delay.nanoseconds
                guard let jitter else { break }
                guard jitter.allowsReordering else {
                    throw refuse(effect, "netem gives every packet its own delay, so jitter reorders; allow reordering")
                }
                netem.jitter = jitter.amount.nanoseconds
                netem.distribution =
                    switch jitter.distribution {
                    case .uniform: .uniform
                    case .normal: .normal
                    case .pareto: .pareto
                    case .table: throw refuse(effect, "not yet mapped")
                    }
            case .loss(.independent(let share)):
                needsNetem = true
                netem.loss = .independent(share.value)
            case .loss(.gilbertElliott(let p, let r, let inBad, let inGood)):
                needsNetem = true
                netem.loss = .gilbertElliott(
                    toBad: p.value, toGood: r.value, lossInBad: inBad.value, lossInGood: inGood.value)
            case .loss(.packets): throw refuse(effect, "netem cannot lose packets by index")
            case .duplicate(let share):
                needsNetem = true
                netem.duplicate = share.value
            case .reorder(let share):
                needsNetem = true
                netem.reorder = share.value
            case .corrupt(let share):
                needsNetem = true
                netem.corrupt = share.value
            case .queue(let asked):
                guard asked.discipline == .dropTail else { throw refuse(effect, "only tail drop here") }
                queue = (asked.bytes, asked.packets)
            case .mtu: throw refuse(effect, "a veth has no path MTU of its own")
            case .outages: throw refuse(effect, "the kernel has no drop-outs by schedule")
            }
        }
        if let bytes = queue.bytes, let packets = queue.packets {
            throw refuse(.queue(bytes: bytes, packets: packets), "a token bucket's queue counts bytes or packets, not both")
        }
        let bucket = rate.map { TokenBucketQdisc(rate: $0, queueBytes: queue.bytes, queuePackets: queue.packets) }
        if !needsNetem { return bucket.map(EgressQdisc.tokenBucket) ?? .none }
        // Packets under way count toward netem's limit; the queue that was asked for is the bottleneck's.
        netem.limit = 100_000
        return .netem(netem, bottleneck: bucket)
    }
}

extension TokenBucketQdisc {
    /// As near as a token bucket comes to a serial line: two packets, or ten milliseconds at high rates, since a timer that fires late
    /// must not cost rate.
    static func burstBytes(at rate: BitRate) -> Int { Int(clamping: max(3_000, rate.bitsPerSecond / 800)) }

    /// Like the condition it counts bytes of layer 3.
    fileprivate init(rate: BitRate, queueBytes: ByteCount?, queuePackets: Int?) {
        let bytesPerSecond = max(rate.bitsPerSecond / 8, 1)
        let packets = queuePackets ?? LinkParameters.defaultQueuePackets
        self.init(
            bytesPerSecond: bytesPerSecond, burstBytes: UInt32(clamping: Self.burstBytes(at: rate)),
            queueBytes: UInt32(clamping: queueBytes?.bytes ?? Int64(packets) * 1_500),
            queuePackets: queueBytes == nil ? UInt32(clamping: packets) : nil, uncountedHeader: KernelEngine.linkHeader)
    }
}
