/// Reads the packets of a pcapng file (draft-ietf-opsawg-pcapng) and removes their link-layer headers. Packets that are
/// not IP are left out.
package struct PcapngReader {
    private let bytes: [UInt8]
    private var isLittle = true
    private var interfaces: [Interface] = []
    private var packets: [CapturedPacket] = []
    private var unreadable: Set<UInt16> = []

    private struct Interface {
        var linkType: UInt16
        var unitsPerSecond: UInt64 = 1_000_000
        /// In seconds.
        var offset: Int64 = 0
    }

    package static func packets(_ bytes: [UInt8]) throws(PcapngError) -> [CapturedPacket] {
        var reader = PcapngReader(bytes: bytes)
        try reader.read()
        if reader.packets.isEmpty, !reader.unreadable.isEmpty { throw .linkTypes(reader.unreadable.sorted()) }
        return reader.packets
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    // MARK: - Blocks

    private static let sectionHeader: UInt32 = 0x0A0D_0D0A

    private mutating func read() throws(PcapngError) {
        guard bytes.count >= 4 else { throw .notPcapng }
        // Both byte orders, in microseconds or nanoseconds.
        if [0xA1B2_C3D4, 0xD4C3_B2A1, 0xA1B2_3C4D, 0x4D3C_B2A1].contains(word32(0)) { throw .classicPcap }
        guard word32(0) == Self.sectionHeader else { throw .notPcapng }
        var offset = 0
        while offset < bytes.count {
            guard offset + 12 <= bytes.count else { throw .truncated(offset: offset) }
            // Its type reads the same in both orders, and the order of the section follows.
            if word32(offset) == Self.sectionHeader { try startSection(offset) }
            let length = Int(word32(offset + 4))
            guard length >= 12, length % 4 == 0 else { throw .malformed(offset: offset, "its length is \(length)") }
            guard offset + length <= bytes.count else { throw .truncated(offset: offset) }
            guard Int(word32(offset + length - 4)) == length else {
                throw .malformed(offset: offset, "its two lengths differ")
            }
            try readBlock(word32(offset), offset + 8..<offset + length - 4)
            offset += length
        }
    }

    private mutating func startSection(_ offset: Int) throws(PcapngError) {
        switch bytes[offset + 8..<offset + 12] {
        case [0x4D, 0x3C, 0x2B, 0x1A]: isLittle = true
        case [0x1A, 0x2B, 0x3C, 0x4D]: isLittle = false
        default: throw .notPcapng
        }
        interfaces = []
    }

    private mutating func readBlock(_ type: UInt32, _ body: Range<Int>) throws(PcapngError) {
        let offset = body.lowerBound - 8
        switch type {
        case 1:
            guard body.count >= 8 else { throw .malformed(offset: offset, "an interface has at least 8 bytes") }
            interfaces.append(interface(body))
        case 6:
            guard body.count >= 20 else { throw .malformed(offset: offset, "a packet has at least 20 bytes") }
            let (number, count) = (Int(word32(body.lowerBound)), Int(word32(body.lowerBound + 12)))
            guard interfaces.indices.contains(number) else {
                throw .malformed(offset: offset, "its interface \(number) is not described")
            }
            guard count <= body.count - 20 else { throw .malformed(offset: offset, "its packet is longer than itself") }
            let units = UInt64(word32(body.lowerBound + 4)) << 32 | UInt64(word32(body.lowerBound + 8))
            let start = body.lowerBound + 20
            add(start..<start + count, interfaces[number], units)
        default: break
        }
    }

    private func interface(_ body: Range<Int>) -> Interface {
        var interface = Interface(linkType: word16(body.lowerBound))
        var offset = body.lowerBound + 8
        while offset + 4 <= body.upperBound {
            let (code, length) = (word16(offset), Int(word16(offset + 2)))
            let value = offset + 4
            guard code != 0, value + length <= body.upperBound else { break }
            switch (code, length) {
            case (9, 1):  // if_tsresol
                let exponent = bytes[value] & 0x7F
                if bytes[value] & 0x80 != 0 {
                    interface.unitsPerSecond = exponent < 64 ? 1 << UInt64(exponent) : 1
                } else if exponent <= 19 {
                    interface.unitsPerSecond = (0..<exponent).reduce(1) { power, _ in power * 10 }
                }
            case (14, 8):  // if_tsoffset
                let words = [word32(value), word32(value + 4)].map(UInt64.init)
                interface.offset = Int64(bitPattern: isLittle ? words[1] << 32 | words[0] : words[0] << 32 | words[1])
            default: break
            }
            offset = value + (length + 3) / 4 * 4
        }
        return interface
    }

    // MARK: - Packets

    private mutating func add(_ frame: Range<Int>, _ interface: Interface, _ units: UInt64) {
        guard let header = headerLength(frame, interface.linkType) else {
            unreadable.insert(interface.linkType)
            return
        }
        guard header < frame.count, [4, 6].contains(bytes[frame.lowerBound + header] >> 4) else { return }
        let nanoseconds = UInt128(units) * 1_000_000_000 / UInt128(interface.unitsPerSecond)
        let time = Int64(clamping: Int128(nanoseconds) + Int128(interface.offset) * 1_000_000_000)
        packets.append(CapturedPacket(time: time, bytes: bytes[frame.dropFirst(header)]))
    }

    /// Returns the length of the header in front of the IP packet, and the whole length for a frame without one; nil for
    /// an unknown link type (LINKTYPE_… of the registry of tcpdump.org).
    private func headerLength(_ frame: Range<Int>, _ linkType: UInt16) -> Int? {
        switch linkType {
        case 12, 14, 101, 228, 229: 0  // raw IP
        case 0, 108: 4  // BSD loopback
        case 1: ethernetHeader(frame)
        case 113: cooked(frame, length: 16, type: 14)
        case 276: cooked(frame, length: 20, type: 0)
        default: nil
        }
    }

    private static let types: Set<Int> = [0x0800, 0x86DD]

    private func ethernetHeader(_ frame: Range<Int>) -> Int {
        var offset = 12
        while offset + 2 <= frame.count {
            let type = networkWord(frame.lowerBound + offset)
            if Self.types.contains(type) { return offset + 2 }
            // VLAN tags.
            guard type == 0x8100 || type == 0x88A8 else { break }
            offset += 4
        }
        return frame.count
    }

    private func cooked(_ frame: Range<Int>, length: Int, type: Int) -> Int {
        guard frame.count > length, Self.types.contains(networkWord(frame.lowerBound + type)) else {
            return frame.count
        }
        return length
    }

    private func networkWord(_ offset: Int) -> Int { Int(bytes[offset]) << 8 | Int(bytes[offset + 1]) }

    private func word16(_ offset: Int) -> UInt16 {
        let word = UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8
        return isLittle ? word : word.byteSwapped
    }

    private func word32(_ offset: Int) -> UInt32 {
        let word = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[offset + $1]) << (8 * UInt32($1)) }
        return isLittle ? word : word.byteSwapped
    }
}
