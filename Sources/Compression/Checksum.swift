internal import CZlib

/// zlib's checksums.
package enum Checksum {
    private typealias Update = (CUnsignedLong, UnsafePointer<UInt8>?, CUnsignedInt) -> CUnsignedLong
    private typealias Combine = (CUnsignedLong, CUnsignedLong, Int) -> CUnsignedLong

    /// As gzip has it (RFC 1952 §8).
    package static func crc32(_ content: UncompressedContent) -> UInt32 {
        unsafe value(content, { unsafe CZlib.crc32($0, $1, $2) }, { CZlib.crc32_combine($0, $1, $2) })
    }

    /// As zlib has it (RFC 1950 §8.2).
    package static func adler32(_ content: UncompressedContent) -> UInt32 {
        unsafe value(content, { unsafe CZlib.adler32($0, $1, $2) }, { CZlib.adler32_combine($0, $1, $2) })
    }

    private static func value(_ content: UncompressedContent, _ update: Update, _ combine: Combine) -> UInt32 {
        // zlib returns the initial value when it gets no bytes.
        let start = update(0, nil, 0)
        func add(_ bytes: [UInt8]) -> CUnsignedLong {
            var value = start
            unsafe bytes.withUnsafeBufferPointer { bytes in
                // A length is 32 bits wide there.
                for from in stride(from: 0, to: bytes.count, by: 1 << 30) {
                    let part = unsafe UnsafeBufferPointer(rebasing: bytes[from..<min(from + 1 << 30, bytes.count)])
                    value = unsafe update(value, part.baseAddress, CUnsignedInt(part.count))
                }
            }
            return value
        }
        switch content {
        case .bytes(let bytes): return UInt32(truncatingIfNeeded: add(bytes))
        case .zeros(let count):
            let piece = 1 << 20
            let whole = add([UInt8](repeating: 0, count: piece))
            var value = start
            for _ in 0..<(count / Int64(piece)) { value = combine(value, whole, piece) }
            let rest = Int(count % Int64(piece))
            return UInt32(truncatingIfNeeded: combine(value, add([UInt8](repeating: 0, count: rest)), rest))
        }
    }
}
