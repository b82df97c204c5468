/// Brotli (RFC 7932) without compression, but for a run of zeros.
enum Brotli {
    private static let largestBlock = 1 << 24

    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var bits = begin()
        store(bytes, &bits)
        return end(&bits)
    }

    static func zeros(_ count: Int64) -> [UInt8] {
        var bits = begin()
        var left = count
        while left >= Int64(longInsert) {
            let size = Int(min(left, Int64(largestBlock)))
            writeZeros(size, &bits)
            left -= Int64(size)
        }
        store([UInt8](repeating: 0, count: Int(left)), &bits)
        return end(&bits)
    }

    /// A window of 4 MiB (§9.1).
    private static func begin() -> BitWriter {
        var bits = BitWriter()
        bits.write(0b1011, 4)
        return bits
    }

    private static func end(_ bits: inout BitWriter) -> [UInt8] {
        bits.write(0b11, 2)
        bits.align()
        return bits.bytes
    }

    private static func store(_ bytes: [UInt8], _ bits: inout BitWriter) {
        var from = 0
        while from < bytes.count {
            let end = min(from + largestBlock, bytes.count)
            writeHead(end - from, isStored: true, &bits)
            bits.align()
            bits.append(bytes[from..<end])
            from = end
        }
    }

    /// §9.2: not the last, so many bytes.
    private static func writeHead(_ length: Int, isStored: Bool, _ bits: inout BitWriter) {
        bits.write(0, 1)
        let value = UInt32(length - 1)
        let nibbles = value >> 16 == 0 ? 4 : value >> 20 == 0 ? 5 : 6
        bits.write(UInt32(nibbles - 4), 2)
        bits.write(value, nibbles * 4)
        bits.write(isStored ? 1 : 0, 1)
    }

    /// What the last insert length code begins at (§5).
    private static let longInsert = 22_594

    /// One command inserts them all: each code has one symbol, which takes no bits (§3.4).
    private static func writeZeros(_ count: Int, _ bits: inout BitWriter) {
        writeHead(count, isStored: false, &bits)
        // One block type of each kind, no postfix, no direct distances, context mode 0, one tree of each kind.
        bits.write(0, 3 + 2 + 4 + 2 + 2)
        for (symbol, width): (UInt32, Int) in [(0, 8), (504, 10), (0, 6)] {
            bits.write(1, 2)
            bits.write(0, 2)
            bits.write(symbol, width)
        }
        bits.write(UInt32(count - longInsert), 24)
    }
}
