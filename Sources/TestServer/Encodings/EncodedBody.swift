import Scenario

/// A body after its content codings, with the damage that its plan asks for.
struct EncodedBody {
    private enum Content {
        case bytes([UInt8])
        case zeros(Int64)
    }

    static func bytes(_ body: [UInt8], _ plan: EncodingPlan, isCompressible: Bool) -> [UInt8] {
        var content = plan.bomb.map { Content.zeros($0.bytes) } ?? .bytes(body)
        for coding in plan.codings {
            content = .bytes(encode(content, coding, plan.hasWrongChecksum, isCompressible || plan.bomb != nil))
        }
        guard case .bytes(var result) = content else { return body }
        result.removeLast(Int(min(plan.cut.bytes, Int64(result.count))))
        if let place = plan.flippedAt, place.bytes < Int64(result.count) { result[Int(place.bytes)] ^= 0xFF }
        return result + Array(plan.surplus.utf8)
    }

    private static func encode(
        _ content: Content, _ coding: EncodingPlan.Coding, _ hasWrongChecksum: Bool, _ isCompressible: Bool
    ) -> [UInt8] {
        switch coding {
        case .gzip: gzip(content, hasWrongChecksum, isCompressible)
        case .deflate: zlib(content, hasWrongChecksum, isCompressible)
        case .rawDeflate: deflate(content, isCompressible)
        case .br:
            switch content {
            case .bytes(let bytes): Brotli.stored(bytes)
            case .zeros(let count): Brotli.zeros(count)
            }
        case .zstd:
            switch content {
            case .bytes(let bytes): Zstandard.stored(bytes)
            case .zeros(let count): Zstandard.zeros(count)
            }
        }
    }

    private static func deflate(_ content: Content, _ isCompressible: Bool) -> [UInt8] {
        switch content {
        case .bytes(let bytes): isCompressible ? Deflate.compressed(bytes) : Deflate.stored(bytes)
        case .zeros(let count): Deflate.zeros(count)
        }
    }

    /// RFC 1952: no name, no time, an unknown system.
    private static func gzip(_ content: Content, _ hasWrongChecksum: Bool, _ isCompressible: Bool) -> [UInt8] {
        var checksum = CRC32()
        let length: Int64
        switch content {
        case .bytes(let bytes):
            checksum.add(bytes)
            length = Int64(bytes.count)
        case .zeros(let count):
            checksum.add(zeros: count)
            length = count
        }
        let sum = hasWrongChecksum ? ~checksum.value : checksum.value
        return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255] + deflate(content, isCompressible) + little(sum)
            + little(UInt32(truncatingIfNeeded: length))
    }

    /// RFC 1950: a window of 32 KiB, the checksum with its highest byte first.
    private static func zlib(_ content: Content, _ hasWrongChecksum: Bool, _ isCompressible: Bool) -> [UInt8] {
        var checksum = Adler32()
        switch content {
        case .bytes(let bytes): checksum.add(bytes)
        case .zeros(let count): checksum.add(zeros: count)
        }
        let sum = hasWrongChecksum ? ~checksum.value : checksum.value
        return [0x78, 0x01] + deflate(content, isCompressible) + little(sum).reversed()
    }

    private static func little(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
