/// Does the work that a sender left to its network card: splits TCP and UDP GSO packets into segments and completes
/// checksums.
///
/// TCP: sequence numbers continue, FIN and PSH stay with the last segment, CWR with the first (RFC 3168 §6.1.2), and
/// the IPv4 identification counts up. Every other field is copied unchanged.
package struct GSOSegmenter: Sendable {
    private var scratch: [UInt8]

    /// Creates a segmenter.
    ///
    /// - Parameter longest: the longest single packet; segments are never longer.
    package init(longest: Int = 65_600) { scratch = [UInt8](repeating: 0, count: longest) }

    /// Passes each wire packet to `body`; the bytes are valid only during the call.
    @inline(__always)
    package mutating func forEach<Failure: Error>(
        of packet: Span<UInt8>, _ offload: GSOMetadata, _ body: (Span<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        guard offload.hasPartialChecksum else { return try body(packet) }
        for number in 0..<Int(offload.segments) {
            var room = scratch.mutableSpan
            let length = GSOSegmenter.cut(number, of: packet, offload, into: &room)
            try body(scratch.span.extracting(0..<length))
        }
    }

    /// Writes wire packet `number` of a packet or GSO packet to the beginning of `room`; returns its length.
    static func cut(
        _ number: Int, of packet: Span<UInt8>, _ offload: GSOMetadata, into room: inout MutableSpan<UInt8>
    ) -> Int {
        if !offload.isGSO, offload.segmentation == .whole {
            _ = copy(packet, to: &room, at: 0)
            complete(&room, length: packet.count, offload)
            return packet.count
        }
        let header = Int(offload.headerLength)
        let each = Int(offload.segmentLength)
        let begin = header + number * each
        let end = min(begin + each, packet.count)
        let length = header + end - begin
        _ = copy(packet.extracting(0..<header), to: &room, at: 0)
        let payloadSum = copy(packet.extracting(begin..<end), to: &room, at: header)
        adjust(&room, number: number, isLast: end == packet.count, length: length, offload)
        sign(&room, payloadSum: payloadSum, length: length, offload)
        return length
    }

    /// Sets the header fields that differ between segments.
    private static func adjust(
        _ room: inout MutableSpan<UInt8>, number: Int, isLast: Bool, length: Int, _ offload: GSOMetadata
    ) {
        let start = Int(offload.checksumStart)
        if room[0] >> 4 == 4 {
            room.set16(UInt16(truncatingIfNeeded: length), at: 2)
            room.set16(room.word16(4) &+ UInt16(truncatingIfNeeded: number), at: 4)
            room.set16(0, at: 10)
            var sum = InternetChecksum()
            for place in stride(from: 0, to: start, by: 2) { sum.add(room.word16(place)) }
            room.set16(sum.value, at: 10)
        } else {
            room.set16(UInt16(truncatingIfNeeded: length - 40), at: 4)
        }
        switch offload.segmentation {
        case .whole: break
        case .tcp4, .tcp6:
            let sequence = room.word32(start + 4) &+ UInt32(truncatingIfNeeded: number * Int(offload.segmentLength))
            room.set16(UInt16(sequence >> 16), at: start + 4)
            room.set16(UInt16(truncatingIfNeeded: sequence), at: start + 6)
            var flags = TCPHeader.Flags(rawValue: room[start + 13])
            if !isLast { flags.subtract([.fin, .psh]) }
            if number > 0 { flags.remove(.cwr) }
            room[start + 13] = flags.rawValue
        case .udp: room.set16(UInt16(truncatingIfNeeded: length - start), at: start + 4)
        }
    }

    /// Computes the whole transport checksum of a segment.
    private static func sign(_ room: inout MutableSpan<UInt8>, payloadSum: UInt64, length: Int, _ offload: GSOMetadata)
    {
        let start = Int(offload.checksumStart)
        let field = start + Int(offload.checksumOffset)
        room.set16(0, at: field)
        // Pseudo-header: the addresses, the protocol, and the length of header and payload.
        var sum = payloadSum &+ UInt64(length - start) &+ (offload.segmentation == .udp ? 17 : 6)
        for place in stride(from: room[0] >> 4 == 4 ? 12 : 8, to: room[0] >> 4 == 4 ? 20 : 40, by: 2) {
            sum &+= UInt64(room.word16(place))
        }
        for place in stride(from: start, to: Int(offload.headerLength), by: 2) { sum &+= UInt64(room.word16(place)) }
        room.set16(checksum(sum, isUDP: offload.segmentation == .udp), at: field)
    }

    /// Completes the checksum by summing over the field, which already holds the pseudo-header's sum.
    private static func complete(_ room: inout MutableSpan<UInt8>, length: Int, _ offload: GSOMetadata) {
        let start = Int(offload.checksumStart)
        let field = start + Int(offload.checksumOffset)
        var sum = InternetChecksum()
        sum.add(room.span.extracting(start..<length))
        // Only UDP has its checksum at offset 6, where 0 would mean "none".
        room.set16(offload.checksumOffset == 6 ? sum.udpValue : sum.value, at: field)
    }

    private static func checksum(_ sum: UInt64, isUDP: Bool) -> UInt16 {
        var folded = sum
        while folded > 0xFFFF { folded = (folded & 0xFFFF) &+ folded >> 16 }
        let value = ~UInt16(folded)
        return isUDP && value == 0 ? 0xFFFF : value
    }

    /// Copies bytes and returns their sum, so that a segment's bytes are touched only once. The sum begins at an even
    /// offset.
    @inline(__always)
    static func copy(_ bytes: Span<UInt8>, to room: inout MutableSpan<UInt8>, at offset: Int) -> UInt64 {
        let count = bytes.count
        precondition(offset >= 0 && count <= room.count - offset)
        for place in 0..<count { room[offset &+ place] = bytes[place] }
        var high: UInt64 = 0
        var low: UInt64 = 0
        // Two sums of plain bytes, which the compiler vectorises; both stay below 2^24.
        let pairs = count / 2
        for pair in 0..<pairs {
            high &+= UInt64(bytes[pair &* 2])
            low &+= UInt64(bytes[pair &* 2 &+ 1])
        }
        if count % 2 == 1 { high &+= UInt64(bytes[count - 1]) }
        return high << 8 &+ low
    }
}

extension MutableSpan<UInt8> {
    fileprivate func word16(_ offset: Int) -> UInt16 { UInt16(self[offset]) << 8 | UInt16(self[offset + 1]) }
    fileprivate func word32(_ offset: Int) -> UInt32 { UInt32(word16(offset)) << 16 | UInt32(word16(offset + 2)) }
    fileprivate mutating func set16(_ value: UInt16, at offset: Int) {
        self[offset] = UInt8(value >> 8)
        self[offset + 1] = UInt8(truncatingIfNeeded: value)
    }
}
