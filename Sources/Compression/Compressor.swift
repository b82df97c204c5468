/// Compresses whole bodies with zlib and libbrotlienc.
///
/// Every parameter is fixed, so that the same content gives the same bytes with the same release of a library: a fault at one byte of a
/// coded body stays where it is.
package enum Compressor {
    /// Returns RFC 1951 data without a wrapper.
    package static func deflate(_ content: UncompressedContent) -> [UInt8] {
        switch content {
        case .bytes(let bytes): Deflater.compress(bytes)
        case .zeros(let count): Deflater.compressZeros(count)
        }
    }

    /// Returns one member of RFC 1952: no name, no time, an unknown system. Its CRC is the four bytes before the last four.
    package static func gzip(_ content: UncompressedContent) -> [UInt8] {
        let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
        return head + deflate(content) + littleEndian(Checksum.crc32(content))
            + littleEndian(UInt32(truncatingIfNeeded: content.count))
    }

    /// Returns RFC 1950 data: a window of 32 KiB, the usual level, and the checksum as the last four bytes.
    package static func zlib(_ content: UncompressedContent) -> [UInt8] {
        [0x78, 0x9C] + deflate(content) + littleEndian(Checksum.adler32(content)).reversed()
    }

    /// Returns RFC 7932 data.
    package static func brotli(_ content: UncompressedContent) -> [UInt8] {
        let encoder = BrotliEncoder()
        switch content {
        case .bytes(let bytes): encoder.add(bytes)
        case .zeros(let count):
            let zeros = [UInt8](repeating: 0, count: 1 << 20)
            for _ in 0..<(count >> 20) { encoder.add(zeros) }
            encoder.add([UInt8](repeating: 0, count: Int(count & (1 << 20 - 1))))
        }
        return encoder.finish()
    }

    private static func littleEndian(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}

extension UncompressedContent {
    fileprivate var count: Int64 {
        switch self {
        case .bytes(let bytes): Int64(bytes.count)
        case .zeros(let count): count
        }
    }
}
