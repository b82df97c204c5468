import Units

/// One direction of one link: it takes packets and times, and returns fates and released packets.
///
/// It uses neither a descriptor nor a clock nor hidden randomness: every decision about packet n is a function of the seed,
/// the stream and n, and the caller passes every time. Calls must come in order of time. Nothing is allocated per
/// packet once the link has carried its highest load. The result does not depend on how often the caller polls.
package struct LinkDirection: ~Copyable, Sendable {
    package private(set) var parameters: LinkParameters
    package private(set) var counters = LinkCounters()
    /// True if the parameters require a decision about each single packet.
    package private(set) var needsSinglePackets = false

    private let random: CounterRandom
    private let probeRandom: CounterRandom
    private let lateAfterNanoseconds: Int64
    private var slab: PacketSlab
    /// The offload metadata of the packet being offered.
    private var offload = GSOMetadata.complete
    private var line: DelayLine
    private var transmitter = Transmitter()
    private var interval: LinkInterval
    private var loss: LossProcess
    private var probeLoss: LossProcess
    private var nextProbeIndex: UInt64 = 1
    private var nextSequence: UInt64 = 0
    /// Packets offered under the current parameters are not released before this time, unless reordering is allowed.
    private var orderFloor = Int64.min
    private var outages: OutageSchedule?
    private var outagesSince: LinkTime
    /// The delay and the amount of jitter of `parameters`, in nanoseconds: converting a `Duration` takes a division.
    private var delay: Int64 = 0
    private var jitterAmount = 0.0
    /// Packets that the queue dropped and that have not been reported to the caller.
    private var lateDrops = Ring(capacity: 64, filler: DroppedPacket.filler)

    /// Creates a direction.
    ///
    /// - Parameters:
    ///   - parameters: must pass `LinkParameters.check`.
    ///   - seed: the run's seed; `stream` distinguishes the links and directions of a run. Probes use a stream derived
    ///     from it.
    ///   - slotSize: bytes kept for a single packet; a packet longer than this and `longestGSOPacket` is dropped as
    ///     `.longerThanSlot`.
    ///   - reservedSlots: the number of packets on the link before the storage has to grow, by doubling.
    ///   - lateAfterNanoseconds: a release this long after its planned time counts as late.
    package init(
        seed: UInt64, stream: UInt64, parameters: LinkParameters, slotSize: Int = 2048, longestGSOPacket: Int = 0,
        reservedSlots: Int = 4096, start: LinkTime = .zero, lateAfterNanoseconds: Int64 = 1_000_000
    ) {
        self.parameters = parameters
        self.lateAfterNanoseconds = lateAfterNanoseconds
        random = CounterRandom(seed: seed, stream: stream)
        // The complement of a small stream number never equals another small stream number.
        probeRandom = CounterRandom(seed: seed, stream: ~stream)
        slab = PacketSlab(slotSize: slotSize, longestGSOPacket: longestGSOPacket, reserved: reservedSlots)
        line = DelayLine(capacity: reservedSlots)
        interval = LinkInterval(start: start)
        outagesSince = start
        loss = LossProcess(start: start)
        probeLoss = loss
        transmitter.change(from: nil, to: parameters, at: start.nanoseconds)
        deriveFromParameters()
    }

    private mutating func deriveFromParameters() {
        needsSinglePackets = parameters.needsSinglePackets
        delay = parameters.delay.nanoseconds
        jitterAmount = parameters.jitter.map { Double($0.amount.nanoseconds) } ?? 0
        outages = parameters.outages.map(OutageSchedule.init)
    }

    /// The number of packets on the link.
    package var inFlight: Int { line.count + transmitter.undecided }
    /// The time of the next event; the caller sleeps until then.
    package var nextRelease: LinkTime? {
        if !lateDrops.isEmpty { return LinkTime(nanoseconds: lateDrops.first.moment) }
        let departure = transmitter.nextDeparture
        guard let planned = line.nextPlanned else { return departure == .max ? nil : LinkTime(nanoseconds: departure) }
        return LinkTime(nanoseconds: min(planned, departure))
    }

    /// Returns the number and total size of the packets that wait for, or are in, transmission.
    package mutating func queueDepth(at now: LinkTime) -> (packets: Int, bytes: Int) {
        depart(by: now.nanoseconds)
        return transmitter.depth(at: now.nanoseconds)
    }

    /// Times from offer to release of the packets released since the last measurement was taken.
    package var delays: LogLinearHistogram { interval.delays }

    /// Changes the treatment of packets offered from `now` on. Packets already on the link keep their release time, as
    /// in netem, but packets waiting for a transmitter that may still drop them leave at the new rate. When the link
    /// goes down, every packet that is not yet due is lost and returned with its fate, because an interface that is
    /// down delivers nothing.
    @discardableResult
    package mutating func change(to new: LinkParameters, at now: LinkTime) -> [PacketFate] {
        depart(by: now.nanoseconds)
        let old = parameters
        parameters = new
        orderFloor = .min
        deriveFromParameters()
        transmitter.change(from: old, to: new, at: now.nanoseconds)
        if new.outages != old.outages { outagesSince = now }
        if new.loss != old.loss {
            loss = LossProcess(start: now)
            probeLoss = loss
        }
        guard !new.isUp else { return [] }
        var lost = line.removeAll(dueAfter: now.nanoseconds).map {
            dropOnDisconnect($0.slot, $0.index, isProbe: $0.isProbe)
        }
        for packet in transmitter.disconnect(at: now.nanoseconds) {
            lost.append(dropOnDisconnect(packet.slot, packet.index, isProbe: packet.isProbe))
        }
        return lost
    }

    private mutating func dropOnDisconnect(_ slot: Int32, _ index: UInt64, isProbe: Bool) -> PacketFate {
        let segments = UInt64(slab.offload(of: slot).segments)
        slab.release(slot)
        interval.countLoss(segments)
        if !isProbe { counters.countDrop(.down, segments) }
        return PacketFate(index: index, isProbe: isProbe, outcome: .dropped(.down))
    }

    /// Accepts one layer-3 packet and decides its fate at once, unless its queue may drop it later. The index of a packet
    /// is the number of packets offered so far. A filtered packet was dropped before the link; it has an index too, so
    /// that the decisions about later packets do not depend on filters.
    @discardableResult
    package mutating func offer(_ packet: Span<UInt8>, isFiltered: Bool = false, at now: LinkTime) -> PacketFate {
        counters.offered &+= 1
        let index = counters.offered
        counters.bytesIn &+= UInt64(packet.count)
        // Drawn for every packet, so that the state of the loss model depends only on the number of packets and the time.
        let isLost = loss.loses(index, at: now, under: parameters.loss, random)
        var fate = PacketFate(index: index, isProbe: false, outcome: .dropped(.loss))
        if isFiltered {
            interval.countOffer()
            return drop(&fate, .filtered)
        }
        return admit(packet, fate, isLost, random, now)
    }

    /// Accepts a GSO packet, or a packet with a partial checksum, unchanged; only while `needsSinglePackets` is
    /// false. It counts as the packets and bytes that a wire would carry, and has one fate with the index of its first
    /// packet.
    @discardableResult
    package mutating func offer(_ packet: Span<UInt8>, _ left: GSOMetadata, at now: LinkTime) -> PacketFate {
        precondition(!needsSinglePackets, "a decision per packet needs single and complete packets")
        let index = counters.offered &+ 1
        counters.offered &+= UInt64(left.segments)
        counters.bytesIn &+= UInt64(left.wireBytes(packet.count))
        offload = left
        defer { offload = .complete }
        return admit(packet, PacketFate(index: index, isProbe: false, outcome: .dropped(.loss)), false, random, now)
    }

    /// Accepts a measurement probe. A probe shares the transmitter, the queue and the delay with the traffic, but has
    /// its own counters and random numbers, so that measuring never changes the random decisions about traffic. A loss
    /// model that lists packets refers to traffic, so it never drops a probe, and neither does a replay.
    @discardableResult
    package mutating func offerProbe(_ packet: Span<UInt8>, at now: LinkTime) -> PacketFate {
        let index = nextProbeIndex
        nextProbeIndex &+= 1
        let isLost: Bool =
            switch parameters.loss {
            case .packets: false
            case nil, .independent, .gilbertElliott, .fading, .fourState:
                probeLoss.loses(index, at: now, under: parameters.loss, probeRandom)
            }
        return admit(
            packet, PacketFate(index: index, isProbe: true, outcome: .dropped(.loss)), isLost, probeRandom, now)
    }

    /// Passes every packet due at or before `now` to `deliver`, in order of planned time, and every packet with fate
    /// `.queued` that the queue dropped to `dropped`. The bytes are valid only during the call.
    package mutating func release(
        upTo now: LinkTime, dropped: (Span<UInt8>, LateDrop) -> Void = { _, _ in },
        _ deliver: (Span<UInt8>, ReleaseInfo) -> Void
    ) {
        depart(by: now.nanoseconds)
        while !lateDrops.isEmpty { report(lateDrops.removeFirst(), dropped) }
        while let packet = line.popDue(now.nanoseconds) {
            let lateness = now.nanoseconds &- packet.planned
            let isLate = lateness > lateAfterNanoseconds
            let offload = slab.offload(of: packet.slot)
            let (segments, wireBytes) = (UInt64(offload.segments), offload.wireBytes(Int(packet.length)))
            interval.countRelease(packet, segments: segments, wireBytes: wireBytes, at: now.nanoseconds, isLate: isLate)
            if isLate { counters.late &+= segments }
            if lateness > counters.maximumLateness { counters.maximumLateness = lateness }
            if !packet.isProbe {
                counters.delivered &+= segments
                counters.bytesOut &+= UInt64(wireBytes)
            }
            let bytes = slab.bytes(of: packet.slot)
            deliver(
                bytes.span.extracting(0..<Int(packet.length)),
                ReleaseInfo(
                    index: packet.index, isProbe: packet.isProbe, isDuplicate: packet.isDuplicate,
                    offload: offload, arrival: LinkTime(nanoseconds: packet.arrival),
                    planned: LinkTime(nanoseconds: packet.planned), released: now))
            slab.release(packet.slot)
        }
    }

    private mutating func report(_ drop: DroppedPacket, _ dropped: (Span<UInt8>, LateDrop) -> Void) {
        let packet = drop.packet
        let bytes = slab.bytes(of: packet.slot)
        dropped(
            bytes.span.extracting(0..<packet.length),
            LateDrop(
                index: packet.index, isProbe: packet.isProbe, isDuplicate: packet.isDuplicate, reason: drop.reason,
                arrival: LinkTime(nanoseconds: packet.arrival), dropped: LinkTime(nanoseconds: drop.moment)))
        slab.release(packet.slot)
    }

    /// Returns the figures since the last call, or since the start, and begins a new interval.
    package mutating func finishMeasurement(at now: LinkTime) -> LinkMeasurement { interval.finish(at: now) }

    @inline(__always)
    private mutating func admit(
        _ packet: Span<UInt8>, _ undecided: PacketFate, _ isLost: Bool, _ random: CounterRandom, _ now: LinkTime
    ) -> PacketFate {
        interval.countOffer(UInt64(offload.segments))
        var fate = undecided
        let length = packet.count
        if !parameters.isUp { return drop(&fate, .down) }
        if let replay = parameters.replay {
            let decision = fate.isProbe ? PacketDecision(index: fate.index) : replay[fate.index]
            return admit(packet, fate, replaying: decision, now)
        }
        if let outages, outages.isOut(at: now, since: outagesSince) { return drop(&fate, .outage) }
        if let mtu = parameters.mtu, length > mtu { return drop(&fate, tooBig) }
        if length > slab.longestPacket { return drop(&fate, .longerThanSlot) }
        if isLost { return drop(&fate, .loss) }
        let index = fate.index
        if random.happens(parameters.reorder.value, .reorder, index) {
            fate.reordered = true
        } else if let jitter = parameters.jitter {
            fate.delayOffset = Int64(
                (jitterAmount * jitter.distribution.deviation(random.unit(.jitter, index))).rounded())
            fate.mayOvertake = jitter.allowsReordering
        }
        if length > 0, random.happens(parameters.corrupt.value, .corrupt, index) {
            fate.corruptedBit = Int(
                random.bits(.corruptPosition, index).multipliedFullWidth(by: UInt64(length * 8)).high)
        }
        return put(packet, fate, copies: random.happens(parameters.duplicate.value, .duplicate, index), now.nanoseconds)
    }

    private mutating func admit(
        _ packet: Span<UInt8>, _ undecided: PacketFate, replaying decision: PacketDecision, _ now: LinkTime
    ) -> PacketFate {
        var fate = undecided
        if let reason = decision.drop {
            switch reason {
            // In the recorded run these packets reached the transmitter before they were dropped.
            case .queueFull, .codel:
                depart(by: now.nanoseconds)
                transmitter.wake(at: now.nanoseconds)
            case .down, .outage, .loss, .tooBig, .swallowedTooBig, .longerThanSlot, .filtered: break
            }
            return drop(&fate, reason)
        }
        if let mtu = parameters.mtu, packet.count > mtu { return drop(&fate, tooBig) }
        if packet.count > slab.longestPacket { return drop(&fate, .longerThanSlot) }
        fate.delayOffset = decision.delayOffset
        fate.mayOvertake = decision.mayOvertake
        fate.reordered = decision.reordered
        // The packet may differ from the recorded one, and be shorter.
        fate.corruptedBit = decision.corruptedBit.flatMap { packet.count > 0 ? $0 % (packet.count * 8) : nil }
        return put(packet, fate, copies: decision.duplicated, now.nanoseconds)
    }

    private var tooBig: DropReason { parameters.announcesTooBig ? .tooBig : .swallowedTooBig }

    /// Puts a packet whose random decisions are made onto the transmitter, and a copy right behind it. The copy is
    /// scheduled like a packet of its own, and is omitted if it does not fit.
    @inline(__always)
    private mutating func put(_ packet: Span<UInt8>, _ decided: PacketFate, copies: Bool, _ now: Int64) -> PacketFate {
        // Packets that leave at this moment are gone before this packet arrives.
        depart(by: now)
        if !decided.isProbe { transmitter.wake(at: now) }
        if transmitter.defers(at: now) { return enqueue(packet, decided, copies: copies, now) }
        var fate = decided
        guard let sent = transmitter.send(packet.count, isProbe: fate.isProbe, at: now) else {
            return drop(&fate, .queueFull)
        }

        var onLink = queued(packet, fate, now)
        let planned = insert(onLink, sent)
        if copies, let copySent = transmitter.send(packet.count, isProbe: fate.isProbe, at: now) {
            onLink.slot = slab.duplicate(onLink.slot, length: packet.count)
            onLink.isDuplicate = true
            _ = insert(onLink, copySent)
            fate.duplicated = true
        }
        count(fate)
        fate.outcome = .delivered(releaseAt: LinkTime(nanoseconds: planned))
        return fate
    }

    /// Does the same as `put` for a transmitter that may still drop a packet while it waits.
    private mutating func enqueue(
        _ packet: Span<UInt8>, _ decided: PacketFate, copies: Bool, _ now: Int64
    ) -> PacketFate {
        var fate = decided
        var waiting = queued(packet, fate, now)
        guard transmitter.enqueue(waiting, at: now) else {
            slab.release(waiting.slot)
            return drop(&fate, .queueFull)
        }
        if copies, transmitter.hasRoom(for: packet.count, at: now) {
            waiting.slot = slab.duplicate(waiting.slot, length: packet.count)
            waiting.isDuplicate = true
            fate.duplicated = transmitter.enqueue(waiting, at: now)
        }
        depart(by: now)
        count(fate)
        fate.outcome = .queued
        return fate
    }

    @inline(__always)
    private mutating func queued(_ packet: Span<UInt8>, _ fate: PacketFate, _ now: Int64) -> QueuedPacket {
        let slot = slab.store(packet, offload)
        if let bit = fate.corruptedBit { slab.flip(bit: bit, in: slot) }
        return QueuedPacket(
            index: fate.index, arrival: now,
            wait: fate.reordered ? 0 : max(0, delay &+ fate.delayOffset), slot: slot,
            packedLength: Int32(truncatingIfNeeded: packet.count), isProbe: fate.isProbe, isDuplicate: false,
            keepsOrder: !fate.reordered && !fate.mayOvertake)
    }

    /// Puts a packet that is being sent onto the delay line; returns the time it is due.
    @inline(__always)
    private mutating func insert(_ packet: QueuedPacket, _ sent: Pacer.Sent) -> Int64 {
        var planned = sent.end &+ packet.wait
        if packet.keepsOrder {
            if planned < orderFloor { planned = orderFloor }
            orderFloor = planned
        }
        line.insert(
            InFlightPacket(
                planned: planned, sequence: nextSequence, arrival: packet.arrival, index: packet.index,
                slot: packet.slot,
                length: packet.packedLength, isProbe: packet.isProbe, isDuplicate: packet.isDuplicate,
                isBackToBack: sent.isBackToBack))
        nextSequence &+= 1
        return planned
    }

    @inline(__always)
    private mutating func count(_ fate: PacketFate) {
        guard !fate.isProbe else { return }
        if fate.reordered { counters.reordered &+= 1 }
        if fate.duplicated { counters.duplicated &+= 1 }
        if fate.corrupted { counters.corrupted &+= 1 }
    }

    /// Advances the queue to `now`: sent packets move to the delay line, dropped ones to the list.
    @inline(__always)
    private mutating func depart(by now: Int64) {
        while let (packet, sent) = transmitter.departure(by: now) { _ = insert(packet, sent) }
        while let drop = transmitter.nextDrop() {
            let segments = UInt64(slab.offload(of: drop.packet.slot).segments)
            interval.countLoss(segments)
            if !drop.packet.isProbe { counters.countDrop(drop.reason, segments) }
            lateDrops.append(drop)
        }
    }

    @inline(__always)
    private mutating func drop(_ fate: inout PacketFate, _ reason: DropReason) -> PacketFate {
        interval.countLoss(UInt64(offload.segments))
        if !fate.isProbe { counters.countDrop(reason, UInt64(offload.segments)) }
        fate = PacketFate(index: fate.index, isProbe: fate.isProbe, outcome: .dropped(reason))
        return fate
    }
}
