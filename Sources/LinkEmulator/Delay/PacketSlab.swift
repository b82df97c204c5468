/// Fixed-size slots for the bytes of packets on the link; a slot is made once and then used again and again.
struct PacketSlab: Sendable {
    let slotSize: Int
    /// One array per slot rather than one for all: growing never copies a packet, and an idle link costs no memory.
    private var slots: [[UInt8]] = []
    private var free: [Int32] = []

    init(slotSize: Int, reserved: Int) {
        self.slotSize = slotSize
        slots.reserveCapacity(reserved)
        free.reserveCapacity(reserved)
    }

    var slotsMade: Int { slots.count }

    @inline(__always)
    mutating func store(_ packet: Span<UInt8>) -> Int32 {
        let slot = takeSlot()
        let length = packet.count
        var bytes = slots[Int(slot)].mutableSpan
        // Checked once here, so that the loop below compiles to a block copy.
        precondition(length <= bytes.count)
        for position in 0..<length { bytes[position] = packet[position] }
        return slot
    }

    mutating func flip(bit: Int, in slot: Int32) {
        slots[Int(slot)][bit >> 3] ^= 0x80 >> UInt8(bit & 7)
    }

    mutating func duplicate(_ slot: Int32, length: Int) -> Int32 {
        let original = slots[Int(slot)]
        return store(original.span.extracting(0..<length))
    }

    @inline(__always)
    func bytes(of slot: Int32) -> [UInt8] { slots[Int(slot)] }

    @inline(__always)
    mutating func release(_ slot: Int32) { free.append(slot) }

    @inline(__always)
    private mutating func takeSlot() -> Int32 {
        if let slot = free.popLast() { return slot }
        slots.append([UInt8](repeating: 0, count: slotSize))
        return Int32(slots.count - 1)
    }
}
