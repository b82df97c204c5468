/// One direction of one link: packets and moments go in, fates and released packets come out.
///
/// It knows no descriptor, no clock and no chance: every decision about packet n is a function of the seed, the stream and n,
/// and every moment is the caller's. Calls must come in order of time. Nothing allocates per packet once the link has
/// carried its fullest load. What happens does not depend on how often the caller looks.
package struct LinkDirection: Sendable {
    package private(set) var parameters: LinkParameters
    package private(set) var counters = LinkCounters()

    private let random: CounterRandom
    private let probeRandom: CounterRandom
    private let lateAfterNanoseconds: Int64
    private var slab: PacketSlab
    /// Of the packet that is being offered.
    private var offload = PacketOffload.complete
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
    /// Packets that the queue dropped, until the caller has been told.
    private var lateDrops = Ring(capacity: 64, filler: DroppedPacket.filler)

    /// - Parameters:
    ///   - parameters: as `LinkParameters.check` accepts them.
    ///   - seed: the run's; `stream` tells the links and directions of a run apart. Probes use a stream derived from it.
    ///   - slotSize: bytes kept for a single packet; one longer than this and `longestTrain` is dropped as `.longerThanSlot`.
    ///   - reservedSlots: packets on the link before the bookkeeping has to grow, by doubling.
    ///   - lateAfterNanoseconds: a release that comes this long after its planned moment counts as late.
    package init(
        seed: UInt64, stream: UInt64, parameters: LinkParameters, slotSize: Int = 2048, longestTrain: Int = 0,
        reservedSlots: Int = 4096, start: LinkTime = .zero, lateAfterNanoseconds: Int64 = 1_000_000
    ) {
        self.parameters = parameters
        self.lateAfterNanoseconds = lateAfterNanoseconds
        random = CounterRandom(seed: seed, stream: stream)
        // The complement of a small stream number is never another small stream number.
        probeRandom = CounterRandom(seed: seed, stream: ~stream)
        slab = PacketSlab(slotSize: slotSize, longestTrain: longestTrain, reserved: reservedSlots)
        line = DelayLine(capacity: reservedSlots)
        interval = LinkInterval(start: start)
        outagesSince = start
        transmitter.change(from: nil, to: parameters, at: start.nanoseconds)
    }

    /// Packets on the link now.
    package var inFlight: Int { line.count + transmitter.undecided }
    /// When something is to be done next; the caller sleeps until then.
    package var nextRelease: LinkTime? {
        if !lateDrops.isEmpty { return LinkTime(nanoseconds: lateDrops.first.moment) }
        let departure = transmitter.nextDeparture
        guard let planned = line.nextPlanned else { return departure == .max ? nil : LinkTime(nanoseconds: departure) }
        return LinkTime(nanoseconds: min(planned, departure))
    }
    package var needsPerPacketDecision: Bool { parameters.needsPerPacketDecision }
    /// Index that the next offered packet will have.
    package var nextPacketIndex: UInt64 { nextIndex }

    /// What waits for, or is in, transmission.
    package mutating func queueDepth(at now: LinkTime) -> (packets: Int, bytes: Int) {
        depart(by: now.nanoseconds)
        return transmitter.depth(at: now.nanoseconds)
    }

    /// From offer to release, of what was released since the last measurement was taken.
    package var delays: LogLinearHistogram { interval.delays }

    /// Changes what happens to packets offered from `now` on; those on the link keep their moment, as in netem, but those that
    /// wait for a transmitter which may still drop them go at its new rate. When the link goes down, everything not yet due is
    /// lost and returned with its fate: an unplugged link delivers nothing.
    @discardableResult
    package mutating func change(to new: LinkParameters, at now: LinkTime) -> [PacketFate] {
        depart(by: now.nanoseconds)
        let old = parameters
        parameters = new
        orderFloor = .min
        transmitter.change(from: old, to: new, at: now.nanoseconds)
        if new.outages != old.outages { outagesSince = now }
        if new.loss != old.loss {
            loss.restart()
            probeLoss.restart()
        }
        guard !new.isUp else { return [] }
        var lost = line.removeAll(dueAfter: now.nanoseconds).map { loseToUnplugging($0.slot, $0.index, isProbe: $0.isProbe) }
        for packet in transmitter.unplug(at: now.nanoseconds) {
            lost.append(loseToUnplugging(packet.slot, packet.index, isProbe: packet.isProbe))
        }
        return lost
    }

    private mutating func loseToUnplugging(_ slot: Int32, _ index: UInt64, isProbe: Bool) -> PacketFate {
        let segments = UInt64(slab.offload(of: slot).segments)
        slab.release(slot)
        interval.countLoss(segments)
        if !isProbe { counters.countDrop(.down, segments) }
        return PacketFate(index: index, isProbe: isProbe, outcome: .dropped(.down))
    }

    /// Takes one layer-3 packet and decides at once what becomes of it, except where its queue may drop it later.
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

    /// Takes a train of segments, or a packet whose checksum is still to be completed, as it stands; only while
    /// `needsPerPacketDecision` is false. It counts as the packets and bytes that a wire would carry, and has one fate with the
    /// index of its first packet.
    @discardableResult
    package mutating func offer(_ packet: Span<UInt8>, _ left: PacketOffload, at now: LinkTime) -> PacketFate {
        precondition(!needsPerPacketDecision, "a decision per packet needs single and complete packets")
        let index = nextIndex
        nextIndex &+= UInt64(left.segments)
        counters.offered &+= UInt64(left.segments)
        counters.bytesIn &+= UInt64(left.wireBytes(packet.count))
        offload = left
        defer { offload = .complete }
        return admit(packet, PacketFate(index: index, isProbe: false, outcome: .dropped(.loss)), false, random, now)
    }

    /// Counts a packet that was taken in front of the link: it keeps its place among the direction's packets, so that every later
    /// one meets what it would have met.
    @discardableResult
    package mutating func passOver(_ packet: Span<UInt8>) -> PacketFate {
        let index = nextIndex
        nextIndex &+= 1
        counters.offered &+= 1
        counters.bytesIn &+= UInt64(packet.count)
        _ = loss.loses(index, under: parameters.loss, random)
        interval.countOffer()
        var fate = PacketFate(index: index, isProbe: false, outcome: .dropped(.filtered))
        return drop(&fate, .filtered)
    }

    /// Takes a measurement probe: it shares transmitter, queue and delay with the traffic, but is counted and drawn apart,
    /// so that measuring never changes what happens to the traffic's packets by the luck of the draw. A loss model that
    /// names packets means traffic, so it never takes a probe, and neither does a replay.
    @discardableResult
    package mutating func offerProbe(_ packet: Span<UInt8>, at now: LinkTime) -> PacketFate {
        let index = nextProbeIndex
        nextProbeIndex &+= 1
        let isLost: Bool =
            switch parameters.loss {
            case .packets: false
            case .none, .independent, .gilbertElliott, .fourState:
                probeLoss.loses(index, under: parameters.loss, probeRandom)
            }
        return admit(packet, PacketFate(index: index, isProbe: true, outcome: .dropped(.loss)), isLost, probeRandom, now)
    }

    /// Hands every packet due at or before `now` to `deliver`, in order of its planned moment, and every one whose fate was
    /// `.queued` and that the queue dropped to `dropped`. The bytes are lent for the duration of the call.
    package mutating func release(
        upTo now: LinkTime, dropped: (Span<UInt8>, LateDrop) -> Void = { _, _ in },
        _ deliver: (Span<UInt8>, ReleaseInfo) -> Void
    ) {
        depart(by: now.nanoseconds)
        while !lateDrops.isEmpty { tell(lateDrops.removeFirst(), dropped) }
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

    private mutating func tell(_ drop: DroppedPacket, _ dropped: (Span<UInt8>, LateDrop) -> Void) {
        let packet = drop.packet
        let bytes = slab.bytes(of: packet.slot)
        dropped(
            bytes.span.extracting(0..<packet.length),
            LateDrop(
                index: packet.index, isProbe: packet.isProbe, isDuplicate: packet.isDuplicate, reason: drop.reason,
                arrival: LinkTime(nanoseconds: packet.arrival), dropped: LinkTime(nanoseconds: drop.moment)))
        slab.release(packet.slot)
    }

    /// The figures since the last call, or since the start; a new interval begins.
    package mutating func takeMeasurement(at now: LinkTime) -> LinkMeasurement { interval.take(at: now) }

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
        if let outages = parameters.outages, outages.isOut(at: now, since: outagesSince) { return drop(&fate, .outage) }
        if let mtu = parameters.mtu, length > mtu { return drop(&fate, tooBig) }
        if length > slab.longestPacket { return drop(&fate, .longerThanSlot) }
        if isLost { return drop(&fate, .loss) }
        let index = fate.index
        if random.happens(parameters.reorder, .reorder, index) {
            fate.reordered = true
        } else if let jitter = parameters.jitter {
            fate.delayOffset = jitter.offset(random.unit(.jitter, index))
            fate.mayOvertake = jitter.allowsReordering
        }
        if length > 0, random.happens(parameters.corrupt, .corrupt, index) {
            fate.corruptedBit = Int(random.bits(.corruptPosition, index).multipliedFullWidth(by: UInt64(length * 8)).high)
        }
        return put(packet, fate, copies: random.happens(parameters.duplicate, .duplicate, index), now.nanoseconds)
    }

    private mutating func admit(
        _ packet: Span<UInt8>, _ undecided: PacketFate, replaying decision: PacketDecision, _ now: LinkTime
    ) -> PacketFate {
        var fate = undecided
        if let reason = decision.drop {
            switch reason {
            // There it reached the transmitter before it was dropped.
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
        // The packet may be another one than in the record, and shorter.
        fate.corruptedBit = decision.corruptedBit.flatMap { packet.count > 0 ? $0 % (packet.count * 8) : nil }
        return put(packet, fate, copies: decision.duplicated, now.nanoseconds)
    }

    private var tooBig: DropReason { parameters.announcesTooBig ? .tooBig : .swallowedTooBig }

    /// Puts a packet about which everything has been drawn onto the transmitter, and a copy right behind it: the copy takes its
    /// own time there, and is not made when it finds no room.
    @inline(__always)
    private mutating func put(_ packet: Span<UInt8>, _ decided: PacketFate, copies: Bool, _ now: Int64) -> PacketFate {
        // What leaves at this moment is gone before the packet comes.
        depart(by: now)
        if !decided.isProbe { transmitter.wake(at: now) }
        if transmitter.defers(at: now) { return enqueue(packet, decided, copies: copies, now) }
        var fate = decided
        guard let sent = transmitter.send(packet.count, isProbe: fate.isProbe, at: now) else { return drop(&fate, .queueFull) }

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

    /// As `put`, where the transmitter may still drop a packet while it waits.
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
            wait: fate.reordered ? 0 : max(0, parameters.delayNanoseconds &+ fate.delayOffset), slot: slot,
            packedLength: Int32(truncatingIfNeeded: packet.count), isProbe: fate.isProbe, isDuplicate: false,
            keepsOrder: !fate.reordered && !fate.mayOvertake)
    }

    /// Puts a packet that is being sent onto the delay line; returns when it is due.
    @inline(__always)
    private mutating func insert(_ packet: QueuedPacket, _ sent: Pacer.Sent) -> Int64 {
        var planned = sent.end &+ packet.wait
        if packet.keepsOrder {
            if planned < orderFloor { planned = orderFloor }
            orderFloor = planned
        }
        line.insert(
            InFlightPacket(
                planned: planned, sequence: nextSequence, arrival: packet.arrival, index: packet.index, slot: packet.slot,
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

    /// Lets the queue go on as far as `now`: what has been sent comes onto the delay line, what was dropped into the list.
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
