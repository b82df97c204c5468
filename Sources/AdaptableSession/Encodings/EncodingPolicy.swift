/// What is decided about content codings (RFC 9110 §8.4).
package struct EncodingPolicy: Hashable, Sendable {
    package enum Fields: Hashable, Sendable {
        /// As the server sent them: the program sees what the representation was, and `expectedContentLength` says that it is unknown.
        case kept
        /// As though the server had sent the plain content.
        case removed
    }

    /// Offered over https, best first.
    package var offeredSecurely: [ContentCoding] = [.gzip, .deflate, .brotli]
    /// ENCD-02: middleboxes of plain http spoil what they do not know.
    package var offeredPlainly: [ContentCoding] = [.gzip, .deflate]
    /// A range of a coded representation cannot be decoded by itself.
    package var offersWithRange = false
    package var decodes: Set<ContentCoding> = Set(ContentCoding.allCases)
    package var fields: Fields = .kept
    /// A body that ends before its coding does is incomplete (RFC 9110 §8.4 has no partial success).
    package var requiresEnd = true
    /// Some servers say what the coding is of a body that is not there.
    package var acceptsEmptyBody = true
    /// RFC 1952 §2.2.
    package var acceptsSeveralMembers = true
    /// Codings upon codings multiply what a byte can stand for.
    package var mostCodings = 4
    /// The output may be so many times the input once it is longer than `freeOutput`. One deflate cannot exceed 1,032.
    package var largestRatio = 1_100
    package var freeOutput = 32 << 20
    /// The largest part given out at once.
    package var pieceSize = 64 << 10

    package init() {}
}
