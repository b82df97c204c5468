import LinkEmulator
import NetworkMonitor

/// The suspension of the network from the packet that a trigger names until the triggered changes are in force, so that
/// the next packet meets them.
///
/// Meanwhile nothing is read from the devices; packets already on the links arrive at their time.
struct TriggerBarrier {
    /// The number of reported marks that have not been acknowledged.
    private var unanswered = 0
    private(set) var end = Int64.max
    /// Packets that had already been read: the rest of a train.
    private var held: [HeldPacket] = []

    struct HeldPacket {
        var wire: EmulatedWire
        var direction: LinkDirectionName
        var bytes: [UInt8]
    }

    /// A mark is normally acknowledged within milliseconds; after this many nanoseconds the network resumes without.
    private static let limit: Int64 = 5_000_000_000

    var isHeld: Bool { unanswered > 0 }

    mutating func begin(at now: Int64) {
        if unanswered == 0 { end = now + TriggerBarrier.limit }
        unanswered += 1
    }

    mutating func endOne() { unanswered = max(0, unanswered - 1) }
    mutating func reset() { unanswered = 0 }

    mutating func enqueue(_ packet: Span<UInt8>, _ wire: EmulatedWire, _ direction: LinkDirectionName) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(packet.count)
        for index in packet.indices { bytes.append(packet[index]) }
        held.append(HeldPacket(wire: wire, direction: direction, bytes: bytes))
    }

    mutating func drainHeld() -> [HeldPacket] {
        let taken = held
        held = []
        return taken
    }
}

extension PumpLoop {
    /// Serves orders and releases packets that are due, but reads no new packets. Returns when the network resumes.
    func pauseAtBreakpoint() throws(SystemCallError) {
        while barrier.isHeld, isRunning {
            try mailbox.inbox.wait(until: min(nextRelease, barrier.end))
            try processCommands()
            for wire in wires { try isolatingErrors(on: wire) { () throws(SystemCallError) in try release(wire) } }
            if barrier.isHeld, MonotonicClock.now() >= barrier.end {
                barrier.reset()
                observer(.late("a packet trigger was not handled within 5 s, so the network resumed"))
            }
            if !barrier.isHeld { try offerHeld() }
        }
    }

    /// Offers the held rest of a train, which may reach the next mark.
    private func offerHeld() throws(SystemCallError) {
        for packet in barrier.drainHeld() {
            try isolatingErrors(on: packet.wire) { () throws(SystemCallError) in
                try offer(
                    packet.bytes.span, to: packet.wire, packet.direction,
                    at: LinkTime(nanoseconds: MonotonicClock.now()))
            }
        }
    }
}
