/// A packet waiting for a transmitter that may still drop it. Plain numbers, so that queues copy it cheaply.
struct QueuedPacket: BitwiseCopyable, Sendable {
    var index: UInt64
    var arrival: Int64
    /// The packet's time on the delay line after transmission.
    var wait: Int64
    var slot: Int32
    var packedLength: Int32
    var isProbe: Bool
    var isDuplicate: Bool
    /// True if the packet may not be released before those sent earlier.
    var keepsOrder: Bool

    var length: Int { Int(packedLength) }

    static let filler = QueuedPacket(
        index: 0, arrival: 0, wait: 0, slot: 0, packedLength: 0, isProbe: false, isDuplicate: false, keepsOrder: false)
}

/// A packet that its queue dropped at `moment`.
struct DroppedPacket: BitwiseCopyable, Sendable {
    var packet: QueuedPacket
    var reason: DropReason
    var moment: Int64

    init(_ packet: QueuedPacket, _ reason: DropReason, at moment: Int64) {
        self.packet = packet
        self.reason = reason
        self.moment = moment
    }

    static let filler = DroppedPacket(.filler, .queueFull, at: 0)
}

/// The packets in front of a transmitter, with their total size in bytes.
struct PacketQueue: Sendable {
    private var packets = Ring(capacity: 64, filler: QueuedPacket.filler)
    private(set) var bytes = 0

    var count: Int { packets.count }
    var isEmpty: Bool { packets.isEmpty }
    var first: QueuedPacket? { packets.isEmpty ? nil : packets.first }

    mutating func append(_ packet: QueuedPacket) {
        packets.append(packet)
        bytes &+= packet.length
    }

    mutating func removeFirst() -> QueuedPacket? {
        guard !packets.isEmpty else { return nil }
        let packet = packets.removeFirst()
        bytes &-= packet.length
        return packet
    }
}
