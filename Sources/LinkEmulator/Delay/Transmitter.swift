/// The sending end of a link: one packet at a time, the others wait in a queue.
///
/// Where only the tail of the queue is dropped, a packet's moment is known as soon as it comes (`send`). Where a waiting
/// packet may still be dropped it is put into the queue (`enqueue`), and comes out of it as time goes on (`departure`).
struct Transmitter: Sendable {
    private struct Leaving: BitwiseCopyable, Sendable {
        var finished: Int64
        var bytes: Int
    }
    private var pacer = Pacer()
    /// Packets whose moment is known and whose last byte has not left.
    private var leaving = Ring(capacity: 64, filler: Leaving(finished: 0, bytes: 0))
    private var leavingBytes = 0
    private var queue = PacketQueue()
    private var drops = Ring(capacity: 64, filler: DroppedPacket.filler)
    private var discipline = QueueDiscipline.dropTail
    private var codel: CoDel?
    private var mostPackets = Int.max
    private var mostBytes = Int.max
    private var promotion: IdlePromotion?
    /// Until when the traffic uses, or will use, the link: its last arrival, promotion or end of a transmission.
    private var lastUse = Int64.min
    /// Nothing is sent before: a radio wakes up, or the packets of an earlier rate are still on their way out.
    private var gate = Int64.min
    /// When the head of the queue begins to leave; the end of time without one.
    private(set) var nextDeparture = Int64.max

    mutating func change(from old: LinkParameters?, to new: LinkParameters, at now: Int64) {
        if old == nil || old?.rate != new.rate {
            pacer.change(to: new.rate, at: now)
            gate = max(now, gate)
            if case .trace = new.rate { gate = max(gate, pacer.free) }
        }
        promotion = new.promotion
        if new.replay != nil {
            // Another run's queue has decided.
            discipline = .dropTail
            mostPackets = .max
            mostBytes = .max
        } else {
            discipline = new.discipline
            mostPackets = new.queuePackets
            mostBytes = new.queueBytes ?? .max
        }
        switch discipline {
        case .dropTail, .headDrop: codel = nil
        case .codel(let target, let interval):
            if old?.discipline != new.discipline || codel == nil { codel = CoDel(target: target, interval: interval) }
        }
        findNextDeparture()
    }

    /// A packet of the traffic comes: a radio that has been idle begins to wake up. Probes wake nobody, or no client would ever
    /// meet a sleeping radio in a link that has just been measured.
    @inline(__always)
    mutating func wake(at now: Int64) {
        lastUse = max(lastUse, wakingUp(at: now), now)
    }

    /// When a radio is awake that has been idle up to `now`.
    @inline(__always)
    private mutating func wakingUp(at now: Int64) -> Int64 {
        guard let promotion, queue.isEmpty, lastUse &+ promotion.tailNanoseconds <= now else { return now }
        gate = max(gate, now &+ promotion.delayNanoseconds)
        return now &+ promotion.delayNanoseconds
    }

    /// Whether a packet that comes at `now` has to go through `enqueue`.
    @inline(__always)
    func defers(at now: Int64) -> Bool {
        if !queue.isEmpty { return true }
        switch discipline {
        case .dropTail: return false
        case .headDrop, .codel: return pacer.hasRate || gate > now
        }
    }

    /// The place of a packet that comes at `now` in the schedule; nil when the queue has no room for it.
    @inline(__always)
    mutating func send(_ bytes: Int, isProbe: Bool, at now: Int64) -> Pacer.Sent? {
        if !pacer.hasRate, gate <= now { return Pacer.Sent(end: now, isBackToBack: false) }
        forgetWhatLeft(by: now)
        guard hasRoom(for: bytes) else { return nil }
        return schedule(bytes, isProbe: isProbe, max(now, gate))
    }

    /// Whether a packet that comes at `now` finds a place without another having to give way.
    mutating func hasRoom(for bytes: Int, at now: Int64) -> Bool {
        forgetWhatLeft(by: now)
        return hasRoom(for: bytes)
    }

    /// Puts a packet that comes at `now` into the queue; false when there is no room for it.
    mutating func enqueue(_ packet: QueuedPacket, at now: Int64) -> Bool {
        if !hasRoom(for: packet.length, at: now) {
            switch discipline {
            case .dropTail, .codel: return false
            case .headDrop:
                // What is already being sent does not give way.
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

    /// The next packet that begins to leave at or before `now`, with its place in the schedule.
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

    /// The next packet that was dropped after it had been put into the queue.
    mutating func nextDrop() -> DroppedPacket? { drops.isEmpty ? nil : drops.removeFirst() }

    /// What waits for, or is in, transmission.
    mutating func depth(at now: Int64) -> (packets: Int, bytes: Int) {
        forgetWhatLeft(by: now)
        return (leaving.count + queue.count, leavingBytes + queue.bytes)
    }

    /// Packets that have not begun to leave.
    var undecided: Int { queue.count }

    /// An unplugged link forgets what waited; what had not begun to leave is handed back.
    mutating func unplug(at now: Int64) -> [QueuedPacket] {
        leaving.truncate(to: 0)
        leavingBytes = 0
        pacer.unplug(at: now)
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
    private mutating func forgetWhatLeft(by now: Int64) {
        while !leaving.isEmpty, leaving.first.finished <= now { leavingBytes &-= leaving.removeFirst().bytes }
    }

    private mutating func findNextDeparture() {
        nextDeparture = queue.first.map { pacer.start(max($0.arrival, gate)) } ?? .max
    }
}
