/// The content coding of a resource (RFC 9110 §8.4) and its defects.
package struct EncodingPlan: Hashable, Sendable {
    package enum Coding: String, CaseIterable, Hashable, Sendable {
        case gzip
        /// As the RFC defines it: in a zlib wrapper.
        case deflate
        /// Without the zlib wrapper, as some servers send it; Content-Encoding is still deflate.
        case rawDeflate
        case br, zstd

        package var token: String {
            switch self {
            case .gzip, .br, .zstd: rawValue
            case .deflate, .rawDeflate: "deflate"
            }
        }
    }
    /// The codings in the order in which they are applied.
    package var codings: [Coding]
    /// The coding is used only for clients whose Accept-Encoding allows it; false: for all clients.
    package var isNegotiated = true
    /// The value of Content-Encoding; nil for the correct one, empty for no field.
    package var label: String?
    /// The number of bytes missing at the end of the encoded body.
    package var cut = ByteCount.zero
    /// The offset of a byte of the encoded body whose bits are inverted.
    package var flippedAt: ByteCount?
    /// The checksum at the end of gzip and zlib data is wrong.
    package var hasWrongChecksum = false
    /// Bytes after the encoded body.
    package var surplus = ""
    /// The number of zero bytes that replace the body.
    package var bomb: ByteCount?
    package init(_ codings: [Coding]) { self.codings = codings }

    /// The largest body that is encoded, because it is held in memory.
    package static let longestBody: Int64 = 16 << 20
    /// The largest bomb, measured before it is encoded.
    package static let largestBomb: Int64 = 16 << 30
}
