import Compression
import ScenarioLanguage

/// A body after its content codings, with the damage of its plan.
struct EncodedBody {
    static func bytes(_ body: [UInt8], _ plan: EncodingPlan) -> [UInt8] {
        var content = plan.bomb.map { UncompressedContent.zeros($0.bytes) } ?? .bytes(body)
        for coding in plan.codings { content = .bytes(encode(content, coding, plan.hasWrongChecksum)) }
        guard case .bytes(var result) = content else { return body }
        result.removeLast(Int(min(plan.cut.bytes, Int64(result.count))))
        if let place = plan.flippedAt, place.bytes < Int64(result.count) { result[Int(place.bytes)] ^= 0xFF }
        return result + Array(plan.surplus.utf8)
    }

    private static func encode(_ content: UncompressedContent, _ coding: EncodingPlan.Coding, _ hasWrongChecksum: Bool)
        -> [UInt8]
    {
        switch coding {
        case .gzip: inverting(hasWrongChecksum ? -8 ..< -4 : 0..<0, of: Compressor.gzip(content))
        case .deflate: inverting(hasWrongChecksum ? -4..<0 : 0..<0, of: Compressor.zlib(content))
        case .rawDeflate: Compressor.deflate(content)
        case .br: Compressor.brotli(content)
        case .zstd:
            switch content {
            case .bytes(let bytes): Zstandard.stored(bytes)
            case .zeros(let count): Zstandard.zeros(count)
            }
        }
    }

    /// - Parameter places: Positions counted from the end.
    private static func inverting(_ places: Range<Int>, of bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for place in places { bytes[bytes.count + place] ^= 0xFF }
        return bytes
    }
}
