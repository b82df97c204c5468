/// One direction of one link: packets and moments go in, fates and released packets come out.
///
/// It knows no descriptor, no clock and no chance: every decision about packet n is a function of the seed, the stream and n,
/// and every moment is the caller's. Calls must come in order of time. Nothing allocates per packet once the link has
/// carried its fullest load.
package struct LinkDirection: Sendable {
    package private(set) var parameters: LinkParameters
    package private(set) var counters = LinkCounters()

    private let random: CounterRandom
    private let probeRandom: CounterRandom
    private let lateAfterNanoseconds: Int64
    private var slab: PacketSlab
    private var line: DelayLine
    private var transmitter = Transmitter()
    private var interval: LinkInterval
    private var loss = LossProcess()
    private var probeLoss = LossProcess()
    private var nextIndex: UInt64 = 0
    private var nextProbeIndex: UInt64 = 0
    private var nextSequence: UInt64 = 0
    /// Packets offered under the present parameters are not released before this, unless reordering is asked for.
    private var orderFloor = Int64.min
    private var outagesSince: LinkTime

    /// - Parameters:
    ///   - parameters: as `LinkParameters.check` accepts them.
    ///   - seed: the run's; `stream` tells the links and directions of a run apart. Probes use a stream derived from it.
    ///   - slotSize: longest packet that fits, in bytes; a longer one is dropped as `.longerThanSlot`.
    ///   - reservedSlots: packets on the link before the bookkeeping has to grow, by doubling.
    ///   - lateAfterNanoseconds: a release that comes this long after its planned moment counts as late.
    package init(
        seed: UInt64, stream: UInt64, parameters: LinkParameters, slotSize: Int = 2048, reservedSlots: Int = 4096,
        start: LinkTime = .zero, lateAfterNanoseconds: Int64 = 1_000_000
    ) {
        self.parameters = parameters
        self.lateAfterNanoseconds = lateAfterNanoseconds
        random = CounterRandom(seed: seed, stream: stream)
        // The complement of a small stream number is never another small stream number.
        probeRandom = CounterRandom(seed: seed, stream: ~stream)
        slab = PacketSlab(slotSize: slotSize, reserved: reservedSlots)
        line = DelayLine(capacity: reservedSlots)
        interval = LinkInterval(start: start)
        outagesSince = start
    }

    /// Packets on the link now.
    package var inFlight: Int { line.count }
    /// When the next packet is due; the caller sleeps until then.
    package var nextRelease: LinkTime? { line.nextPlanned.map(LinkTime.init(nanoseconds:)) }
    package var needsPerPacketDecision: Bool { parameters.needsPerPacketDecision }
    /// Index that the next offered packet will have.
    package var nextPacketIndex: UInt64 { nextIndex }

    /// Changes what happens to packets offered from `now` on; those on the link keep their moment, as in netem. When the
    /// link goes down, everything not yet due is lost and returned with its fate: an unplugged link delivers nothing.
    @discardableResult
    package mutating func change(to new: LinkParameters, at now: LinkTime) -> [PacketFate] {
        let old = parameters
        parameters = new
        orderFloor = .min
        if new.rateBitsPerSecond != old.rateBitsPerSecond { transmitter.forgetRemainder() }
        if new.outages != old.outages { outagesSince = now }
        if new.loss != old.loss {
            loss.restart()
            probeLoss.restart()
        }
        guard !new.isUp else { return [] }
        transmitter.unplug()
        return line.removeAll(dueAfter: now.nanoseconds).map { packet in
            slab.release(packet.slot)
            interval.countLoss()
            if !packet.isProbe { counters.countDrop(.down) }
            return PacketFate(index: packet.index, isProbe: packet.isProbe, outcome: .dropped(.down))
        }
    }

    /// Takes one layer-3 packet and decides at once what becomes of it.
    @discardableResult
    package mutating func offer(_ packet: Span<UInt8>, at now: LinkTime) -> PacketFate {
        let index = nextIndex
        nextIndex &+= 1
        counters.offered &+= 1
        counters.bytesIn &+= UInt64(packet.count)
        // Asked for every packet, so that the state of the loss model depends on the number of packets alone.
        let isLost = loss.loses(index, under: parameters.loss, random)
        return admit(packet, PacketFate(index: index, isProbe: false, outcome: .dropped(.loss)), isLost, random, now)
    }

    /// Takes a measurement probe: it shares transmitter, queue and delay with the traffic, but is counted and drawn apart,
    /// so that measuring never changes what happens to the traffic's packets by the luck of the draw. A loss model that
    /// names packets means traffic, so it never takes a probe.
    @discardableResult
    package mutating func offerProbe(_ packet: Span<UInt8>, at now: LinkTime) -> PacketFate {
        let index = nextProbeIndex
        nextProbeIndex &+= 1
        let isLost: Bool =
            switch parameters.loss {
            case .packets: false
            case .none, .independent, .gilbertElliott: probeLoss.loses(index, under: parameters.loss, probeRandom)
            }
        return admit(packet, PacketFate(index: index, isProbe: true, outcome: .dropped(.loss)), isLost, probeRandom, now)
    }

    /// Hands every packet due at or before `now` to `deliver`, in order of its planned moment. The bytes are lent for the
    /// duration of the call.
    package mutating func release(upTo now: LinkTime, _ deliver: (Span<UInt8>, ReleaseInfo) -> Void) {
        while let packet = line.popDue(now.nanoseconds) {
            let lateness = now.nanoseconds &- packet.planned
            let isLate = lateness > lateAfterNanoseconds
            interval.countRelease(packet, at: now.nanoseconds, isLate: isLate)
            if isLate { counters.late &+= 1 }
            if lateness > counters.maximumLateness { counters.maximumLateness = lateness }
            if !packet.isProbe {
                counters.delivered &+= 1
                counters.bytesOut &+= UInt64(packet.length)
            }
            let bytes = slab.bytes(of: packet.slot)
            deliver(
                bytes.span.extracting(0..<Int(packet.length)),
                ReleaseInfo(
                    index: packet.index, isProbe: packet.isProbe, isDuplicate: packet.isDuplicate,
                    arrival: LinkTime(nanoseconds: packet.arrival), planned: LinkTime(nanoseconds: packet.planned),
                    released: now))
            slab.release(packet.slot)
        }
    }

    /// The figures since the last call, or since the start; a new interval begins.
    package mutating func takeMeasurement(at now: LinkTime) -> LinkMeasurement { interval.take(at: now) }

    @inline(__always)
    private mutating func admit(
        _ packet: Span<UInt8>, _ undecided: PacketFate, _ isLost: Bool, _ random: CounterRandom, _ now: LinkTime
    ) -> PacketFate {
        interval.countOffer()
        var fate = undecided
        let length = packet.count
        let index = fate.index
        if !parameters.isUp { return drop(&fate, .down) }
        if let outages = parameters.outages, outages.isOut(at: now, since: outagesSince) { return drop(&fate, .outage) }
        if let mtu = parameters.mtu, length > mtu { return drop(&fate, .tooBig) }
        if length > slab.slotSize { return drop(&fate, .longerThanSlot) }
        if isLost { return drop(&fate, .loss) }
        guard let sent = transmitter.transmit(length, at: now.nanoseconds, parameters) else { return drop(&fate, .queueFull) }

        let wait = delay(of: index, random, &fate)
        var planned = sent.end &+ wait
        if !fate.reordered {
            if !(parameters.jitter?.allowsReordering ?? false), planned < orderFloor { planned = orderFloor }
            if planned > orderFloor { orderFloor = planned }
        }
        let slot = slab.store(packet)
        if length > 0, random.happens(parameters.corrupt, .corrupt, index) {
            let bit = Int(random.bits(.corruptPosition, index).multipliedFullWidth(by: UInt64(length * 8)).high)
            slab.flip(bit: bit, in: slot)
            fate.corruptedBit = bit
            if !fate.isProbe { counters.corrupted &+= 1 }
        }
        var onLink = InFlightPacket(
            planned: planned, sequence: nextSequence, arrival: now.nanoseconds, index: index, slot: slot,
            length: Int32(truncatingIfNeeded: length), isProbe: fate.isProbe, isDuplicate: false,
            isBackToBack: sent.isBackToBack)
        nextSequence &+= 1
        line.insert(onLink)

        // A copy takes its own time on the transmitter, right behind the original, and is not made when the queue is full.
        if random.happens(parameters.duplicate, .duplicate, index),
            let copySent = transmitter.transmit(length, at: now.nanoseconds, parameters)
        {
            onLink.slot = slab.duplicate(slot, length: length)
            onLink.planned = planned &+ (copySent.end &- sent.end)
            onLink.sequence = nextSequence
            onLink.isDuplicate = true
            onLink.isBackToBack = copySent.isBackToBack
            nextSequence &+= 1
            if !fate.reordered, onLink.planned > orderFloor { orderFloor = onLink.planned }
            line.insert(onLink)
            fate.duplicated = true
            if !fate.isProbe { counters.duplicated &+= 1 }
        }
        fate.outcome = .delivered(releaseAt: LinkTime(nanoseconds: planned))
        return fate
    }

    /// The time a packet spends on the delay line.
    @inline(__always)
    private mutating func delay(of index: UInt64, _ random: CounterRandom, _ fate: inout PacketFate) -> Int64 {
        if random.happens(parameters.reorder, .reorder, index) {
            fate.reordered = true
            if !fate.isProbe { counters.reordered &+= 1 }
            return 0
        }
        guard let jitter = parameters.jitter else { return parameters.delayNanoseconds }
        return max(0, parameters.delayNanoseconds &+ jitter.offset(random.unit(.jitter, index)))
    }

    @inline(__always)
    private mutating func drop(_ fate: inout PacketFate, _ reason: DropReason) -> PacketFate {
        interval.countLoss()
        if !fate.isProbe { counters.countDrop(reason) }
        fate.outcome = .dropped(reason)
        return fate
    }
}
