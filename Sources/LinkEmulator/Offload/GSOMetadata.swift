/// The work left before a wire could carry a packet: a GSO packet to segment, a checksum to complete.
///
/// It travels with the packet while single packets are not needed, so that the receiving kernel accepts the GSO packet
/// whole. Plain numbers, so that queues copy it cheaply.
package struct GSOMetadata: BitwiseCopyable, Hashable, Sendable {
    package enum Segmentation: UInt8, BitwiseCopyable, Hashable, Sendable { case whole, tcp4, tcp6, udp }

    package var segmentation: Segmentation
    /// True if the checksum field holds only the sum of the pseudo-header.
    package var hasPartialChecksum: Bool
    /// The offset of the transport header, and the offset of the checksum field in it.
    package var checksumStart: UInt16
    package var checksumOffset: UInt16
    /// Payload bytes of each segment; the last may be shorter.
    package var segmentLength: UInt16
    /// Length of the IP and transport headers of each segment.
    package var headerLength: UInt16
    /// The number of packets on the wire.
    package var segments: UInt16

    /// A packet without work left.
    package static let complete = GSOMetadata(
        segmentation: .whole, hasPartialChecksum: false, checksumStart: 0, checksumOffset: 0, segmentLength: 0,
        headerLength: 0,
        segments: 1)

    package var isGSO: Bool { segments > 1 }

    /// Returns the bytes of layer 3 on the wire for a packet or GSO packet of `length` bytes.
    package func wireBytes(_ length: Int) -> Int { length &+ (Int(segments) &- 1) &* Int(headerLength) }

    private init(
        segmentation: Segmentation, hasPartialChecksum: Bool, checksumStart: UInt16, checksumOffset: UInt16,
        segmentLength: UInt16,
        headerLength: UInt16, segments: UInt16
    ) {
        self.segmentation = segmentation
        self.hasPartialChecksum = hasPartialChecksum
        self.checksumStart = checksumStart
        self.checksumOffset = checksumOffset
        self.segmentLength = segmentLength
        self.headerLength = headerLength
        self.segments = segments
    }

    /// Describes a packet with only its checksum to complete; nil if the field would lie outside the packet.
    package init?(checksumOf packet: Span<UInt8>, start: Int, offset: Int) {
        guard start >= 20, offset >= 0, start + offset + 2 <= packet.count, start <= 0xFFFF, offset <= 0xFFFF else {
            return nil
        }
        self = .complete
        hasPartialChecksum = true
        checksumStart = UInt16(start)
        checksumOffset = UInt16(offset)
    }

    /// Describes a GSO packet whose transport header begins at `start`; nil if the bytes contradict it.
    package init?(train packet: Span<UInt8>, _ segmentation: Segmentation, segmentLength: Int, start: Int) {
        let isIPv6: Bool
        let header: Int
        switch segmentation {
        case .whole: return nil
        case .tcp4, .tcp6:
            guard packet.count >= start + TCPHeader.minimumLength else { return nil }
            isIPv6 = segmentation == .tcp6
            header = start + Int(packet[start + 12] >> 4) * 4
            guard header >= start + TCPHeader.minimumLength else { return nil }
        case .udp:
            guard packet.count >= start + UDPHeader.length else { return nil }
            isIPv6 = packet[0] >> 4 == 6
            header = start + UDPHeader.length
        }
        guard start >= (isIPv6 ? 40 : 20), packet[0] >> 4 == (isIPv6 ? 6 : 4),
            isIPv6 || start == Int(packet[0] & 15) * 4,
            header < packet.count, packet.count <= 0xFFFF + 40, 1...0xFFFF ~= segmentLength
        else { return nil }
        let segments = (packet.count - header + segmentLength - 1) / segmentLength
        self.init(
            segmentation: segmentation, hasPartialChecksum: true, checksumStart: UInt16(start),
            checksumOffset: segmentation == .udp ? 6 : 16, segmentLength: UInt16(segmentLength),
            headerLength: UInt16(header),
            segments: UInt16(segments))
    }
}
