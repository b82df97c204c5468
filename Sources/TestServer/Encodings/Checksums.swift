/// CRC-32 as gzip has it (RFC 1952 §8).
struct CRC32 {
    private var state: UInt32 = 0xFFFF_FFFF
    var value: UInt32 { ~state }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }

    mutating func add(_ bytes: [UInt8]) {
        for byte in bytes { state = CRC32.table[Int((state ^ UInt32(byte)) & 0xFF)] ^ state >> 8 }
    }

    /// A zero byte is a linear step, so many of them are powers of its matrix: a bomb's checksum costs nothing.
    mutating func add(zeros count: Int64) {
        var left = UInt64(clamping: count)
        var step = (0..<32).map { bit in CRC32.table[Int(UInt32(1) << UInt32(bit) & 0xFF)] ^ (UInt32(1) << UInt32(bit)) >> 8 }
        while left > 0 {
            if left & 1 == 1 { state = CRC32.times(step, state) }
            let once = step
            step = once.map { CRC32.times(once, $0) }
            left >>= 1
        }
    }

    private static func times(_ columns: [UInt32], _ vector: UInt32) -> UInt32 {
        var sum: UInt32 = 0
        for bit in 0..<32 where vector >> UInt32(bit) & 1 == 1 { sum ^= columns[bit] }
        return sum
    }
}

/// Adler-32 as zlib has it (RFC 1950 §8.2).
struct Adler32 {
    private static let modulus: UInt32 = 65_521
    private var low: UInt32 = 1
    private var high: UInt32 = 0
    var value: UInt32 { high << 16 | low }

    mutating func add(_ bytes: [UInt8]) {
        for byte in bytes {
            low = (low + UInt32(byte)) % Adler32.modulus
            high = (high + low) % Adler32.modulus
        }
    }

    mutating func add(zeros count: Int64) {
        high = UInt32((UInt64(high) + UInt64(low) * (UInt64(clamping: count) % UInt64(Adler32.modulus))) % UInt64(Adler32.modulus))
    }
}
