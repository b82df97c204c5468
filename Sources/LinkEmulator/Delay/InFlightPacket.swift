/// A packet on the link: the slot of its bytes and the time it is due. Plain numbers, so that queues copy it cheaply.
struct InFlightPacket: BitwiseCopyable, Sendable {
    var planned: Int64
    /// Order of arrival on the link; breaks ties between equal times.
    var sequence: UInt64
    var arrival: Int64
    var index: UInt64
    var slot: Int32
    var length: Int32
    var isProbe: Bool
    var isDuplicate: Bool
    /// True if the packet was transmitted right after its predecessor, so that the gap between their releases measures
    /// the rate.
    var isBackToBack: Bool

    static let filler = InFlightPacket(
        planned: 0, sequence: 0, arrival: 0, index: 0, slot: 0, length: 0, isProbe: false, isDuplicate: false,
        isBackToBack: false)

    @inline(__always)
    func isDue(before other: InFlightPacket) -> Bool {
        planned != other.planned ? planned < other.planned : sequence < other.sequence
    }
}
