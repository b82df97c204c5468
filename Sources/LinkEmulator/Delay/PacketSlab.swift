/// Fixed-size slots for the bytes of packets on the link; slots are reused.
///
/// GSO packets have larger slots of their own: if all slots had that size, a link full of small packets would exhaust
/// the memory.
struct PacketSlab: Sendable {
    let longestPacket: Int
    private var short: SlotPool
    private var long: SlotPool

    init(slotSize: Int, longestGSOPacket: Int, reserved: Int) {
        longestPacket = max(slotSize, longestGSOPacket)
        short = SlotPool(slotSize: slotSize, reserved: reserved)
        long = SlotPool(slotSize: longestGSOPacket, reserved: 0)
    }

    /// Stores a packet and returns its slot. The slot of a long packet is the bitwise complement of its number.
    @inline(__always)
    mutating func store(_ packet: Span<UInt8>, _ offload: GSOMetadata) -> Int32 {
        packet.count <= short.slotSize ? short.store(packet, offload) : ~long.store(packet, offload)
    }

    /// Flips one bit. Only single packets are changed or copied, so the slot is a short one.
    mutating func flip(bit: Int, in slot: Int32) { short.flip(bit: bit, in: slot) }

    mutating func duplicate(_ slot: Int32, length: Int) -> Int32 {
        let (original, offload) = (bytes(of: slot), offload(of: slot))
        return store(original.span.extracting(0..<length), offload)
    }

    @inline(__always)
    func bytes(of slot: Int32) -> [UInt8] { slot >= 0 ? short.bytes[Int(slot)] : long.bytes[Int(~slot)] }
    @inline(__always)
    func offload(of slot: Int32) -> GSOMetadata { slot >= 0 ? short.offloads[Int(slot)] : long.offloads[Int(~slot)] }

    @inline(__always)
    mutating func release(_ slot: Int32) {
        if slot >= 0 { short.release(slot) } else { long.release(~slot) }
    }
}

/// Slots of one size.
private struct SlotPool: Sendable {
    let slotSize: Int
    /// One array per slot instead of one for all: growing never copies a packet, and an idle link uses no memory.
    private(set) var bytes: [[UInt8]] = []
    private(set) var offloads: [GSOMetadata] = []
    private var free: [Int32] = []

    init(slotSize: Int, reserved: Int) {
        self.slotSize = slotSize
        bytes.reserveCapacity(reserved)
        offloads.reserveCapacity(reserved)
        free.reserveCapacity(reserved)
    }

    var count: Int { bytes.count }

    @inline(__always)
    mutating func store(_ packet: Span<UInt8>, _ offload: GSOMetadata) -> Int32 {
        let slot = allocate()
        let length = packet.count
        var room = bytes[Int(slot)].mutableSpan
        // Checked once here, so that the loop below compiles to a block copy.
        precondition(length <= room.count)
        for position in 0..<length { room[position] = packet[position] }
        offloads[Int(slot)] = offload
        return slot
    }

    mutating func flip(bit: Int, in slot: Int32) { bytes[Int(slot)][bit >> 3] ^= 0x80 >> UInt8(bit & 7) }

    @inline(__always)
    mutating func release(_ slot: Int32) { free.append(slot) }

    @inline(__always)
    private mutating func allocate() -> Int32 {
        if let slot = free.popLast() { return slot }
        bytes.append([UInt8](repeating: 0, count: slotSize))
        offloads.append(.complete)
        return Int32(bytes.count - 1)
    }
}
