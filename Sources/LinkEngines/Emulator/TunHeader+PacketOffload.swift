import LabKernel
import LinkEmulator

extension GSOMetadata {
    /// Returns nil when the header contradicts the packet.
    init?(_ header: TunHeader, of packet: Span<UInt8>) {
        let segmentation: Segmentation
        switch header.segmentation {
        case .whole:
            guard let checksum = header.checksum else {
                self = .complete
                return
            }
            self.init(checksumOf: packet, start: checksum.start, offset: checksum.offset)
            return
        case .tcp4: segmentation = .tcp4
        case .tcp6: segmentation = .tcp6
        case .udp: segmentation = .udp
        }
        // The kernel always leaves the checksums of a train to the network card.
        guard let checksum = header.checksum else { return nil }
        self.init(train: packet, segmentation, segmentLength: header.segmentLength, start: checksum.start)
    }
}

extension TunHeader {
    init(_ offload: GSOMetadata) {
        guard offload.hasPartialChecksum else {
            self = .complete
            return
        }
        let segmentation: Segmentation =
            switch offload.segmentation {
            case .whole: .whole
            case .tcp4: .tcp4
            case .tcp6: .tcp6
            case .udp: .udp
            }
        self.init(
            segmentation: segmentation, segmentLength: Int(offload.segmentLength),
            headerLength: Int(offload.headerLength),
            checksum: .init(start: Int(offload.checksumStart), offset: Int(offload.checksumOffset)))
    }
}
