/// The rules for content codings (RFC 9110 §8.4).
package struct EncodingPolicy: Hashable, Sendable {
    package enum Fields: Hashable, Sendable {
        /// Content-Encoding and Content-Length stay as the server sent them, so the program can see the coding.
        case kept
        /// Content-Encoding and Content-Length are removed, as though the server had sent the decoded content.
        case removed
    }

    /// The codings that are offered over https, best first.
    package var offeredSecurely: [ContentCoding] = [.gzip, .deflate, .brotli]
    /// The codings that are offered over plain http, where middleboxes corrupt codings that they do not know (ENCD-02).
    package var offeredPlainly: [ContentCoding] = [.gzip, .deflate]
    /// Offers codings for range requests; a range of an encoded representation cannot be decoded by itself.
    package var offersWithRange = false
    package var decodes: Set<ContentCoding> = Set(ContentCoding.allCases)
    package var fields: Fields = .kept
    /// A body that ends before its coding is incomplete (RFC 9110 §8.4 does not define a partial success).
    package var requiresEnd = true
    /// Accepts an empty body with a Content-Encoding, which some servers send.
    package var acceptsEmptyBody = true
}
