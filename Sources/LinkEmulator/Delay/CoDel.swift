/// CoDel (RFC 8289 §5): drops from the head of a queue whose minimum delay stays above the target.
struct CoDel: Sendable {
    private let target: Int64
    private let interval: Int64
    /// The time at which the delay will have been above the target for a whole interval; nil while it is below.
    private var aboveUntil: Int64?
    private var isDropping = false
    private var nextDrop: Int64 = 0
    private var count: UInt64 = 0
    private var countBefore: UInt64 = 0
    /// The longest packet so far. A queue that holds no more than this cannot be shortened without leaving the link
    /// idle.
    private var longestPacket = 0

    init(target: Int64, interval: Int64) {
        self.target = target
        self.interval = interval
    }

    /// Returns the packet to send at `now`, or nil when the queue is empty. Appends the packets it drops to `drops`.
    mutating func dequeue(from queue: inout PacketQueue, at now: Int64, into drops: inout Ring<DroppedPacket>)
        -> QueuedPacket?
    {
        var taken = dequeue(from: &queue, at: now)
        if isDropping {
            if !taken.mayDrop { isDropping = false }
            while isDropping, now >= nextDrop, let packet = taken.packet {
                drops.append(DroppedPacket(packet, .codel, at: now))
                count &+= 1
                taken = dequeue(from: &queue, at: now)
                if taken.mayDrop { nextDrop = afterDrop(nextDrop) } else { isDropping = false }
            }
        } else if taken.mayDrop, let packet = taken.packet {
            drops.append(DroppedPacket(packet, .codel, at: now))
            taken = dequeue(from: &queue, at: now)
            isDropping = true
            // If dropping ended recently, start with the drop frequency that controlled the queue then.
            let delta = count &- countBefore
            count = delta > 1 && now &- nextDrop < 16 &* interval ? delta : 1
            nextDrop = afterDrop(now)
            countBefore = count
        }
        return taken.packet
    }

    private mutating func dequeue(from queue: inout PacketQueue, at now: Int64) -> (
        packet: QueuedPacket?, mayDrop: Bool
    ) {
        guard let packet = queue.removeFirst() else {
            aboveUntil = nil
            return (nil, false)
        }
        longestPacket = max(longestPacket, packet.length)
        if now &- packet.arrival < target || queue.bytes <= longestPacket {
            aboveUntil = nil
            return (packet, false)
        }
        guard let aboveUntil else {
            self.aboveUntil = now &+ interval
            return (packet, false)
        }
        return (packet, now >= aboveUntil)
    }

    private func afterDrop(_ moment: Int64) -> Int64 { moment &+ Int64(Double(interval) / Double(count).squareRoot()) }
}
