import Units

/// The sending end of a link: it transmits one packet at a time while the others wait in a queue.
///
/// If only the tail of the queue is dropped, the departure time of a packet is known on arrival (`send`). If a waiting
/// packet may still be dropped, it is put into the queue (`enqueue`) and leaves it as time passes (`departure`).
struct Transmitter: Sendable {
    private struct Leaving: BitwiseCopyable, Sendable {
        var finished: Int64
        var bytes: Int
    }
    private var pacer = Pacer()
    /// Packets whose departure time is known and whose last byte has not left.
    private var leaving = Ring(capacity: 64, filler: Leaving(finished: 0, bytes: 0))
    private var leavingBytes = 0
    private var queue = PacketQueue()
    private var drops = Ring(capacity: 64, filler: DroppedPacket.filler)
    private var discipline = LinkEffect.Queue.Discipline.dropTail
    private var codel: CoDel?
    private var mostPackets = Int.max
    private var mostBytes = Int.max
    /// The wake-up delay of an idle radio and the time until it is idle, in nanoseconds.
    private var promotion: (delay: Int64, idle: Int64)?
    /// The end of the latest past or scheduled use of the link by traffic: arrival, promotion or end of a transmission.
    private var lastUse = Int64.min
    /// Nothing is sent before this time: a radio wakes up, or packets scheduled at an earlier rate are still being
    /// sent.
    private var gate = Int64.min
    /// The time at which the head of the queue begins to leave; `Int64.max` for an empty queue.
    private(set) var nextDeparture = Int64.max

    mutating func change(from old: LinkParameters?, to new: LinkParameters, at now: Int64) {
        if old == nil || old?.rate != new.rate {
            pacer.change(to: new.rate, at: now)
            gate = max(now, gate)
            if case .trace = new.rate { gate = max(gate, pacer.free) }
        }
        promotion = new.promotion.map { ($0.delay.nanoseconds, $0.idleTimeout.nanoseconds) }
        if new.replay != nil {
            // In a replay, the queue of the recorded run has already decided.
            discipline = .dropTail
            mostPackets = .max
            mostBytes = .max
        } else {
            discipline = new.queue.discipline
            mostPackets = new.queue.packets ?? LinkEffect.Queue.usualPackets
            mostBytes = new.queue.bytes.map { Int($0.bytes) } ?? .max
        }
        switch discipline {
        case .dropTail, .headDrop: codel = nil
        case .codel(let target, let interval):
            if old?.queue.discipline != discipline || codel == nil {
                codel = CoDel(target: target.nanoseconds, interval: interval.nanoseconds)
            }
        }
        findNextDeparture()
    }

    /// Starts to wake up an idle radio because a traffic packet arrives. Probes do not wake it; otherwise no client
    /// would meet a sleeping radio on a link that has just been measured.
    @inline(__always)
    mutating func wake(at now: Int64) {
        lastUse = max(lastUse, wakingUp(at: now), now)
    }

    /// Returns the time at which a radio that has been idle up to `now` is awake.
    @inline(__always)
    private mutating func wakingUp(at now: Int64) -> Int64 {
        guard let promotion, queue.isEmpty, lastUse &+ promotion.idle <= now else { return now }
        gate = max(gate, now &+ promotion.delay)
        return now &+ promotion.delay
    }

    /// Returns true if a packet that arrives at `now` has to go through `enqueue`.
    @inline(__always)
    func defers(at now: Int64) -> Bool {
        if !queue.isEmpty { return true }
        switch discipline {
        case .dropTail: return false
        case .headDrop, .codel: return pacer.hasRate || gate > now
        }
    }

    /// Returns the place in the schedule of a packet that arrives at `now`, or nil if the queue is full.
    @inline(__always)
    mutating func send(_ bytes: Int, isProbe: Bool, at now: Int64) -> Pacer.Sent? {
        if !pacer.hasRate, gate <= now { return Pacer.Sent(end: now, isBackToBack: false) }
        removeDeparted(by: now)
        guard hasRoom(for: bytes) else { return nil }
        return schedule(bytes, isProbe: isProbe, max(now, gate))
    }

    /// Returns true if a packet that arrives at `now` fits into the queue without displacing another one.
    mutating func hasRoom(for bytes: Int, at now: Int64) -> Bool {
        removeDeparted(by: now)
        return hasRoom(for: bytes)
    }

    /// Puts a packet that arrives at `now` into the queue; returns false if it does not fit.
    mutating func enqueue(_ packet: QueuedPacket, at now: Int64) -> Bool {
        if !hasRoom(for: packet.length, at: now) {
            switch discipline {
            case .dropTail, .codel: return false
            case .headDrop:
                // Packets already being sent are not displaced.
                guard leaving.count < mostPackets, leavingBytes + packet.length <= mostBytes else { return false }
                while !hasRoom(for: packet.length), let oldest = queue.removeFirst() {
                    drops.append(DroppedPacket(oldest, .queueFull, at: now))
                }
            }
        }
        queue.append(packet)
        findNextDeparture()
        return true
    }

    /// Returns the next packet that begins to leave at or before `now`, with its place in the schedule.
    mutating func departure(by now: Int64) -> (QueuedPacket, Pacer.Sent)? {
        while nextDeparture <= now {
            let taken =
                if codel != nil {
                    codel?.dequeue(from: &queue, at: nextDeparture, into: &drops)
                } else {
                    queue.removeFirst()
                }
            guard let packet = taken else {
                findNextDeparture()
                continue
            }
            let sent = schedule(packet.length, isProbe: packet.isProbe, max(packet.arrival, gate))
            findNextDeparture()
            return (packet, sent)
        }
        return nil
    }

    /// Returns the next packet that was dropped after it had been queued.
    mutating func nextDrop() -> DroppedPacket? { drops.isEmpty ? nil : drops.removeFirst() }

    /// Returns the number and total size of the packets that wait for, or are in, transmission.
    mutating func depth(at now: Int64) -> (packets: Int, bytes: Int) {
        removeDeparted(by: now)
        return (leaving.count + queue.count, leavingBytes + queue.bytes)
    }

    /// The number of packets that have not begun to leave.
    var undecided: Int { queue.count }

    /// Empties the queue because the link went down; returns the packets that had not begun to leave.
    mutating func disconnect(at now: Int64) -> [QueuedPacket] {
        leaving.truncate(to: 0)
        leavingBytes = 0
        pacer.disconnect(at: now)
        lastUse = .min
        gate = now
        var waiting: [QueuedPacket] = []
        while let packet = queue.removeFirst() { waiting.append(packet) }
        findNextDeparture()
        return waiting
    }

    @inline(__always)
    private func hasRoom(for bytes: Int) -> Bool {
        leaving.count &+ queue.count < mostPackets && bytes <= mostBytes &- leavingBytes &- queue.bytes
    }

    @inline(__always)
    private mutating func schedule(_ bytes: Int, isProbe: Bool, _ eligible: Int64) -> Pacer.Sent {
        let sent = pacer.send(bytes, eligible)
        leaving.append(Leaving(finished: sent.end, bytes: bytes))
        leavingBytes &+= bytes
        if !isProbe { lastUse = max(lastUse, sent.end) }
        return sent
    }

    @inline(__always)
    private mutating func removeDeparted(by now: Int64) {
        while !leaving.isEmpty, leaving.first.finished <= now { leavingBytes &-= leaving.removeFirst().bytes }
    }

    private mutating func findNextDeparture() {
        nextDeparture = queue.first.map { pacer.start(max($0.arrival, gate)) } ?? .max
    }
}
