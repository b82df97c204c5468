/// The packets in propagation, in order of release.
///
/// Packets that are due no earlier than all before them (every packet, if the delay is constant) go through a ring.
/// Only packets that overtake others (jitter with reordering, a skipped delay, a reduced delay) go through the heap.
struct DelayLine: Sendable {
    private var inOrder: Ring<InFlightPacket>
    private var overtaking: [InFlightPacket] = []

    init(capacity: Int) { inOrder = Ring(capacity: capacity, filler: .filler) }

    var count: Int { inOrder.count + overtaking.count }

    @inline(__always)
    mutating func insert(_ packet: InFlightPacket) {
        if inOrder.isEmpty || packet.planned >= inOrder.last.planned {
            inOrder.append(packet)
        } else {
            push(packet)
        }
    }

    var nextPlanned: Int64? {
        if inOrder.isEmpty { return overtaking.first?.planned }
        guard let top = overtaking.first else { return inOrder.first.planned }
        return min(top.planned, inOrder.first.planned)
    }

    /// Removes and returns the next packet due at or before `now`.
    @inline(__always)
    mutating func popDue(_ now: Int64) -> InFlightPacket? {
        if overtaking.isEmpty {
            guard !inOrder.isEmpty, inOrder.first.planned <= now else { return nil }
            return inOrder.removeFirst()
        }
        if !inOrder.isEmpty, inOrder.first.isDue(before: overtaking[0]) {
            return inOrder.first.planned <= now ? inOrder.removeFirst() : nil
        }
        return overtaking[0].planned <= now ? popTop() : nil
    }

    /// Removes all packets that are due after `moment` and returns them in order of arrival.
    mutating func removeAll(dueAfter moment: Int64) -> [InFlightPacket] {
        var removed: [InFlightPacket] = []
        var kept = inOrder.count
        while kept > 0, inOrder[kept - 1].planned > moment {
            kept -= 1
            removed.append(inOrder[kept])
        }
        inOrder.truncate(to: kept)
        let heap = overtaking
        overtaking.removeAll(keepingCapacity: true)
        for packet in heap {
            if packet.planned > moment { removed.append(packet) } else { push(packet) }
        }
        return removed.sorted { $0.sequence < $1.sequence }
    }

    private mutating func push(_ packet: InFlightPacket) {
        overtaking.append(packet)
        var child = overtaking.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard packet.isDue(before: overtaking[parent]) else { break }
            overtaking[child] = overtaking[parent]
            child = parent
        }
        overtaking[child] = packet
    }

    private mutating func popTop() -> InFlightPacket {
        let top = overtaking[0]
        let moved = overtaking.removeLast()
        if overtaking.isEmpty { return top }
        let count = overtaking.count
        var hole = 0
        while true {
            var child = 2 * hole + 1
            guard child < count else { break }
            if child + 1 < count, overtaking[child + 1].isDue(before: overtaking[child]) { child += 1 }
            guard overtaking[child].isDue(before: moved) else { break }
            overtaking[hole] = overtaking[child]
            hole = child
        }
        overtaking[hole] = moved
        return top
    }
}
