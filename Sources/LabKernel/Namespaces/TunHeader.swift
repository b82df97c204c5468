import CLabKernel

/// The work that the kernel has left to do for a packet of a TUN device with offloads, or may leave to the receiving
/// side (`struct virtio_net_hdr`, virtio 1.2 section 5.1.6).
package struct TunHeader: Hashable, Sendable {
    package enum Segmentation: Hashable, Sendable {
        /// One packet.
        case whole
        case tcp4, tcp6, udp
    }
    /// A checksum field that holds only the sum of the pseudo-header: the sum begins at `start`, and the field is
    /// `offset` bytes after it.
    package struct PartialChecksum: Hashable, Sendable {
        package var start: Int
        package var offset: Int
        package init(start: Int, offset: Int) {
            self.start = start
            self.offset = offset
        }
    }
    package var segmentation: Segmentation
    /// Payload bytes of each segment, if there are several.
    package var segmentLength: Int
    /// Length of the IP and transport headers, if there are several segments; only a hint when read.
    package var headerLength: Int
    package var checksum: PartialChecksum?

    package init(
        segmentation: Segmentation = .whole, segmentLength: Int = 0, headerLength: Int = 0,
        checksum: PartialChecksum? = nil
    ) {
        self.segmentation = segmentation
        self.segmentLength = segmentLength
        self.headerLength = headerLength
        self.checksum = checksum
    }

    /// A packet without work left.
    package static let complete = TunHeader()

    init(_ raw: cw_tun_header) {
        // The congestion flag (CW_TUN_ECN) repeats the TCP flags of the packet. Other kinds are sent only on request.
        segmentation =
            switch UInt32(raw.segmentation) & ~CW_TUN_ECN.rawValue {
            case CW_TUN_TCP4.rawValue: .tcp4
            case CW_TUN_TCP6.rawValue: .tcp6
            case CW_TUN_UDP.rawValue: .udp
            default: .whole
            }
        segmentLength = Int(raw.segment_length)
        headerLength = Int(raw.header_length)
        if UInt32(raw.flags) & CW_TUN_NEEDS_CHECKSUM.rawValue != 0 {
            checksum = PartialChecksum(start: Int(raw.checksum_start), offset: Int(raw.checksum_offset))
        }
    }

    /// The kernel's header. Values that exceed its fields cannot come from a packet, so they are truncated.
    var raw: cw_tun_header {
        var raw = cw_tun_header()
        if let checksum {
            raw.flags = UInt8(CW_TUN_NEEDS_CHECKSUM.rawValue)
            raw.checksum_start = UInt16(truncatingIfNeeded: checksum.start)
            raw.checksum_offset = UInt16(truncatingIfNeeded: checksum.offset)
        }
        let kind: UInt32
        switch segmentation {
        case .whole: return raw
        case .tcp4: kind = CW_TUN_TCP4.rawValue
        case .tcp6: kind = CW_TUN_TCP6.rawValue
        case .udp: kind = CW_TUN_UDP.rawValue
        }
        raw.segmentation = UInt8(kind)
        raw.segment_length = UInt16(truncatingIfNeeded: segmentLength)
        raw.header_length = UInt16(truncatingIfNeeded: headerLength)
        return raw
    }
}
