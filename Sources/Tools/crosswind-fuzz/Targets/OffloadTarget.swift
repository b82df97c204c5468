import LinkEmulator

/// GSO packets as a kernel passes them, and their segmentation.
struct OffloadTarget: FuzzTarget {
    static let name = "trains"
    static let subject = "segmentation and checksum offload of the TUN device"

    private var segmenter = GSOSegmenter(longest: 8192)

    mutating func play(_ random: inout FuzzRandom) throws(FuzzFinding) -> Bool {
        let bytes = PacketMaker.packet(&random)
        guard !bytes.isEmpty else { return false }
        let isSix = bytes[0] >> 4 == 6
        let start = random.happens(oneIn: 10) ? random.below(200) : isSix ? 40 : Int(bytes[0] & 15) * 4
        let offload =
            random.happens(oneIn: 4)
            ? GSOMetadata(checksumOf: bytes.span, start: start, offset: random.below(20))
            : GSOMetadata(
                train: bytes.span, random.pick([.tcp4, .tcp6, .udp, .whole]),
                segmentLength: random.happens(oneIn: 10) ? random.below(70_000) : 1 + random.below(300), start: start)
        guard let offload else { return false }
        var (packets, total) = (0, 0)
        segmenter.forEach(of: bytes.span, offload) { packet in
            packets += 1
            total += packet.count
        }
        guard packets == Int(offload.segments) else {
            throw FuzzFinding("\(packets) segments instead of \(offload.segments)", bytes)
        }
        guard total == offload.wireBytes(bytes.count) else {
            throw FuzzFinding("\(total) bytes instead of \(offload.wireBytes(bytes.count))", bytes)
        }
        return true
    }
}
