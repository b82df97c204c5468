/// Deflate (RFC 1951) as simply as it can be written: repeated bytes are matches, everything else stands as it is.
enum Deflate {
    /// Without compression.
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + bytes.count / 65_535 * 5 + 5)
        var from = 0
        repeat {
            let end = min(from + 65_535, bytes.count)
            let length = UInt16(end - from)
            result.append(end == bytes.count ? 1 : 0)
            result += [UInt8(truncatingIfNeeded: length), UInt8(length >> 8)]
            result += [UInt8(truncatingIfNeeded: ~length), UInt8(~length >> 8)]
            result += bytes[from..<end]
            from = end
        } while from < bytes.count
        return result
    }

    private static let lengths: [(base: Int, extra: Int)] =
        [(3, 0), (4, 0), (5, 0), (6, 0), (7, 0), (8, 0), (9, 0), (10, 0), (11, 1), (13, 1), (15, 1), (17, 1), (19, 2), (23, 2), (27, 2)]
        + [(31, 2), (35, 3), (43, 3), (51, 3), (59, 3), (67, 4), (83, 4), (99, 4), (115, 4), (131, 5), (163, 5), (195, 5), (227, 5)]
        + [(258, 0)]

    /// With the fixed codes of §3.2.6.
    static func compressed(_ bytes: [UInt8]) -> [UInt8] {
        var bits = BitWriter()
        bits.write(1, 1)
        bits.write(1, 2)
        var at = 0
        while at < bytes.count {
            if at > 0 {
                var run = 0
                while run < 258, at + run < bytes.count, bytes[at + run] == bytes[at - 1] { run += 1 }
                if run >= 3 {
                    writeMatch(run, &bits)
                    at += run
                    continue
                }
            }
            writeSymbol(Int(bytes[at]), &bits)
            at += 1
        }
        writeSymbol(256, &bits)
        bits.align()
        return bits.bytes
    }

    private static func writeSymbol(_ symbol: Int, _ bits: inout BitWriter) {
        switch symbol {
        case ..<144: bits.write(code: UInt32(0x30 + symbol), 8)
        case ..<256: bits.write(code: UInt32(0x190 + symbol - 144), 9)
        case ..<280: bits.write(code: UInt32(symbol - 256), 7)
        default: bits.write(code: UInt32(0xC0 + symbol - 280), 8)
        }
    }

    /// So many times the byte before.
    private static func writeMatch(_ length: Int, _ bits: inout BitWriter) {
        guard let index = lengths.lastIndex(where: { $0.base <= length }) else { return }
        writeSymbol(257 + index, &bits)
        bits.write(UInt32(length - lengths[index].base), lengths[index].extra)
        bits.write(code: 0, 5)
    }

    /// At least one zero byte, in a thousandth of the room: codes made for nothing else (§3.2.7) need two bits for 258 of them.
    static func zeros(_ count: Int64) -> [UInt8] {
        var bits = BitWriter()
        bits.write(1, 1)
        bits.write(2, 2)
        bits.write(29, 5)
        bits.write(0, 5)
        bits.write(14, 4)
        // Lengths of the code of lengths, in the order of §3.2.7: 18 has one bit, 1 and 2 have two.
        for length: UInt32 in [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2] { bits.write(length, 3) }
        let two: (UInt32, Int) = (0b11, 2)
        let one: (UInt32, Int) = (0b10, 2)
        // The literal 0: two bits. 255 without code.
        bits.write(code: two.0, two.1)
        for run in [138, 117] { writeGap(run, &bits) }
        // The end: two bits. 28 lengths without code, then the longest match and the distance 1: one bit each.
        bits.write(code: two.0, two.1)
        writeGap(28, &bits)
        for _ in 0..<2 { bits.write(code: one.0, one.1) }
        bits.write(code: 0b10, 2)
        bits.write(zeroBits: (count - 1) / 258 * 2)
        for _ in 0..<(count - 1) % 258 { bits.write(code: 0b10, 2) }
        bits.write(code: 0b11, 2)
        bits.align()
        return bits.bytes
    }

    private static func writeGap(_ count: Int, _ bits: inout BitWriter) {
        bits.write(code: 0, 1)
        bits.write(UInt32(count - 11), 7)
    }
}
