/// Bits packed from the lowest of each byte on, as deflate (RFC 1951 §3.1.1) and brotli (RFC 7932 §1.5.1) want them.
struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var pending: UInt64 = 0
    private var count = 0

    /// The lowest `width` bits, at most 32.
    mutating func write(_ value: UInt32, _ width: Int) {
        pending |= UInt64(value) << UInt64(count)
        count += width
        while count >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: pending))
            pending >>= 8
            count -= 8
        }
    }

    /// A prefix code, which stands with its highest bit first.
    mutating func write(code: UInt32, _ width: Int) {
        var turned: UInt32 = 0
        for bit in 0..<width where code >> UInt32(bit) & 1 == 1 { turned |= 1 << UInt32(width - 1 - bit) }
        write(turned, width)
    }

    mutating func write(zeroBits number: Int64) {
        var left = number
        while left > 0, count > 0 {
            write(0, 1)
            left -= 1
        }
        bytes.append(contentsOf: repeatElement(0, count: Int(left / 8)))
        write(0, Int(left % 8))
    }

    mutating func align() {
        if count > 0 { write(0, 8 - count) }
    }

    /// Only when aligned.
    mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }
}
