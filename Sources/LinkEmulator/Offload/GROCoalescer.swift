/// Joins TCP segments that leave a link at the same moment into one packet, as GRO in a network card does, so that the
/// receiving kernel accepts them with one system call.
///
/// Segments are joined only if segmentation would restore them exactly: segments of one connection, in order, without a
/// gap, all of one length except the last, equal in every other field, and with correct checksums. A segment that was
/// corrupted on the way is sent alone, because the new checksum of the joined packet would hide the damage.
package struct GROCoalescer: Sendable {
    private var bytes: [UInt8]
    private var length = 0
    private var segments = 0
    private var shape = Shape(start: 0, header: 0)
    private var segmentLength = 0
    private var nextSequence: UInt32 = 0
    /// True after a short segment or one with PSH; no segment may follow it.
    private var isClosed = false

    /// The offsets of the TCP header and of its payload.
    private struct Shape: Equatable {
        var start: Int
        var header: Int
    }

    /// The maximum length of an IPv4 packet; packets over IPv6 keep to it too.
    private static let longest = 65_535

    package init() { bytes = [UInt8](repeating: 0, count: GROCoalescer.longest) }

    package var isEmpty: Bool { segments == 0 }

    /// Adds a complete packet; returns false if it cannot follow the joined segments, or cannot be joined at all.
    package mutating func join(_ packet: Span<UInt8>) -> Bool {
        guard let found = GROCoalescer.shape(of: packet) else { return false }
        return segments == 0 ? begin(packet, found) : append(packet, found)
    }

    /// Passes the joined packet to `body` and starts a new one.
    @inline(__always)
    package mutating func flush<Failure: Error>(_ body: (Span<UInt8>, GSOMetadata) throws(Failure) -> Void)
        throws(Failure)
    {
        guard segments > 0 else { return }
        let offload = segments > 1 ? seal() : .complete
        segments = 0
        try body(bytes.span.extracting(0..<length), offload)
    }

    // MARK: - One segment

    /// Returns the offsets in a TCP segment with data; nil for everything else, including SYN, FIN, RST, urgent data
    /// and unusual IP headers.
    private static func shape(of packet: Span<UInt8>) -> Shape? {
        let count = packet.count
        guard count >= 40, count <= longest else { return nil }
        let start: Int
        switch packet[0] >> 4 {
        case 4:
            // Without options and not a fragment.
            guard packet[0] == 0x45, packet[9] == IPProtocol.tcp.rawValue, packet.word16(6) & 0x3FFF == 0,
                packet.word16(2) == count
            else { return nil }
            start = 20
        case 6:
            guard count >= 60, packet[6] == IPProtocol.tcp.rawValue, Int(packet.word16(4)) == count - 40 else {
                return nil
            }
            start = 40
        default: return nil
        }
        let header = start + Int(packet[start + 12] >> 4) * 4
        let flags = TCPHeader.Flags(rawValue: packet[start + 13]).subtracting(.psh)
        guard header >= start + TCPHeader.minimumLength, header < count, flags == .ack else { return nil }
        return Shape(start: start, header: header)
    }

    private mutating func begin(_ packet: Span<UInt8>, _ found: Shape) -> Bool {
        guard copy(packet, found, from: 0, to: 0) else { return false }
        shape = found
        length = packet.count
        segments = 1
        segmentLength = packet.count - found.header
        follow(packet)
        return true
    }

    private mutating func append(_ packet: Span<UInt8>, _ found: Shape) -> Bool {
        let payload = packet.count - found.header
        guard !isClosed, found == shape, payload <= segmentLength, length + payload <= GROCoalescer.longest,
            packet.word32(shape.start + 4) == nextSequence, isAlike(packet),
            copy(packet, found, from: shape.header, to: length)
        else { return false }
        length += payload
        segments += 1
        follow(packet)
        return true
    }

    private mutating func follow(_ packet: Span<UInt8>) {
        let payload = packet.count - shape.header
        nextSequence = packet.word32(shape.start + 4) &+ UInt32(truncatingIfNeeded: payload)
        isClosed = payload < segmentLength || TCPHeader.Flags(rawValue: packet[shape.start + 13]).contains(.psh)
        // The joined packet has the flags of its last segment; only PSH may differ.
        bytes[shape.start + 13] = packet[shape.start + 13]
    }

    /// Returns true if every header field has the value that segmentation would produce.
    private func isAlike(_ packet: Span<UInt8>) -> Bool {
        let first = bytes.span
        if shape.start == 20 {
            guard first.word32(12) == packet.word32(12), first.word32(16) == packet.word32(16),
                first.word16(0) == packet.word16(0),
                first.word32(6) == packet.word32(6),
                first.word16(4) &+ UInt16(truncatingIfNeeded: segments) == packet.word16(4)
            else { return false }
        } else {
            guard first.word32(0) == packet.word32(0), first.word16(6) == packet.word16(6) else { return false }
            for place in stride(from: 8, to: 40, by: 8) where first.word64(place) != packet.word64(place) {
                return false
            }
        }
        let start = shape.start
        // Ports; acknowledgement; header length; window; urgent pointer and options.
        guard first.word32(start) == packet.word32(start), first.word32(start + 8) == packet.word32(start + 8),
            first[start + 12] == packet[start + 12], first.word16(start + 14) == packet.word16(start + 14),
            first.word16(start + 18) == packet.word16(start + 18)
        else { return false }
        for place in stride(from: start + 20, to: shape.header, by: 4) where first.word32(place) != packet.word32(place)
        { return false }
        return true
    }

    /// Copies the packet's bytes from `from` on; returns false if a checksum is wrong.
    private mutating func copy(_ packet: Span<UInt8>, _ found: Shape, from: Int, to offset: Int) -> Bool {
        var sum = UInt64(packet.count - found.start) &+ UInt64(IPProtocol.tcp.rawValue)
        for place in stride(from: found.start == 20 ? 12 : 8, to: found.header, by: 2) {
            sum &+= UInt64(packet.word16(place))
        }
        if found.start == 20 {
            var header = InternetChecksum()
            for place in stride(from: 0, to: 20, by: 2) { header.add(packet.word16(place)) }
            guard header.value == 0 else { return false }
        }
        var room = bytes.mutableSpan
        let payload = packet.extracting(found.header..<packet.count)
        sum &+= GSOSegmenter.copy(payload, to: &room, at: offset + found.header - from)
        while sum > 0xFFFF { sum = (sum & 0xFFFF) &+ sum >> 16 }
        guard sum == 0xFFFF else { return false }
        for place in from..<found.header { room[offset + place - from] = packet[place] }
        return true
    }

    // MARK: - The joined packet

    /// Writes the header of the joined packet: its length, and only the pseudo-header's sum as the TCP checksum.
    private mutating func seal() -> GSOMetadata {
        var sum = InternetChecksum()
        if shape.start == 20 {
            bytes.set16(UInt16(truncatingIfNeeded: length), at: 2)
            bytes.set16(0, at: 10)
            sum.add(bytes.span.extracting(0..<20))
            bytes.set16(sum.value, at: 10)
        } else {
            bytes.set16(UInt16(truncatingIfNeeded: length - 40), at: 4)
        }
        var pseudo = InternetChecksum()
        pseudo.add(bytes.span.extracting((shape.start == 20 ? 12 : 8)..<shape.start))
        pseudo.add(UInt16(IPProtocol.tcp.rawValue))
        pseudo.add(UInt16(truncatingIfNeeded: length - shape.start))
        bytes.set16(~pseudo.value, at: shape.start + 16)
        guard
            let offload = GSOMetadata(
                train: bytes.span.extracting(0..<length), shape.start == 20 ? .tcp4 : .tcp6,
                segmentLength: segmentLength,
                start: shape.start)
        else { preconditionFailure("every field of the joined packet has been checked") }
        return offload
    }
}
