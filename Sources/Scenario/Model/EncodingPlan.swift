/// The content coding of a resource (RFC 9110 §8.4), and what is wrong with it.
package struct EncodingPlan: Hashable, Sendable {
    package enum Coding: String, CaseIterable, Hashable, Sendable {
        case gzip
        /// As the RFC has it, in a zlib wrapping.
        case deflate
        /// Without the wrapping, as some servers do; Content-Encoding says deflate all the same.
        case rawDeflate
        case br, zstd

        package var token: String {
            switch self {
            case .gzip, .br, .zstd: rawValue
            case .deflate, .rawDeflate: "deflate"
            }
        }
    }
    /// Applied in this order.
    package var codings: [Coding]
    /// Only for clients whose Accept-Encoding allows it; false: for everybody.
    package var isNegotiated = true
    /// Content-Encoding as written; nil for the truth, empty for none.
    package var label: String?
    /// So many bytes are missing at the end of the encoded body.
    package var cut = ByteCount.zero
    /// The byte at this place of the encoded body has its bits turned round.
    package var flippedAt: ByteCount?
    /// The checksum that gzip and zlib end with is wrong.
    package var hasWrongChecksum = false
    /// Bytes behind the encoded body.
    package var surplus = ""
    /// In place of the body: so many zero bytes.
    package var bomb: ByteCount?
    package init(_ codings: [Coding]) { self.codings = codings }

    /// A body that is encoded is held in memory.
    package static let longestBody: Int64 = 16 << 20
    /// Of a bomb, before it is encoded.
    package static let largestBomb: Int64 = 16 << 30
}
