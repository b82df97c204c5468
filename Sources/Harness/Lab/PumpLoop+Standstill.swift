import LinkEmulator
import LinuxNet

/// The network stands still from the packet that a trigger names until what it triggers is in force, so that the next packet meets it.
///
/// Nothing is taken from the devices meanwhile; what is on the links already arrives at its time.
struct Standstill {
    /// Marks that were told and not yet answered.
    private var unanswered = 0
    private(set) var end = Int64.max
    /// What had already been taken: the rest of a train.
    private var held: [HeldPacket] = []

    struct HeldPacket {
        var wire: EmulatedWire
        var side: WireDirection
        var bytes: [UInt8]
    }

    /// Whoever is told of a mark answers in milliseconds; after so many nanoseconds the network goes on without.
    private static let limit: Int64 = 5_000_000_000

    var isHeld: Bool { unanswered > 0 }

    mutating func begin(at now: Int64) {
        if unanswered == 0 { end = now + Standstill.limit }
        unanswered += 1
    }

    mutating func answer() { unanswered = max(0, unanswered - 1) }
    mutating func giveUp() { unanswered = 0 }

    mutating func hold(_ packet: Span<UInt8>, _ wire: EmulatedWire, _ side: WireDirection) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(packet.count)
        for index in packet.indices { bytes.append(packet[index]) }
        held.append(HeldPacket(wire: wire, side: side, bytes: bytes))
    }

    mutating func takeHeld() -> [HeldPacket] {
        let taken = held
        held = []
        return taken
    }
}

extension PumpLoop {
    /// Serves orders and lets go what is due, but takes nothing in. Returns when the network goes on.
    func standStill() throws(SystemCallError) {
        while standstill.isHeld, isRunning {
            try mailbox.inbox.wait(until: min(nextRelease, standstill.end))
            try obey()
            for wire in wires { try surviving(on: wire) { () throws(SystemCallError) in try release(wire) } }
            if standstill.isHeld, MonotonicClock.now() >= standstill.end {
                standstill.giveUp()
                observer(.late("nobody acted on a packet trigger within 5 s, so the network went on"))
            }
            if !standstill.isHeld { try offerHeld() }
        }
    }

    /// The rest of a train may reach the next mark.
    private func offerHeld() throws(SystemCallError) {
        for packet in standstill.takeHeld() {
            try surviving(on: packet.wire) { () throws(SystemCallError) in
                try offer(packet.bytes.span, to: packet.wire, packet.side, at: LinkTime(nanoseconds: MonotonicClock.now()))
            }
        }
    }
}
