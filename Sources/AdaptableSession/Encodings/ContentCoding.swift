/// The content codings that a session takes off (RFC 9110 §8.4.1, RFC 7932 §13).
package enum ContentCoding: String, Hashable, Sendable, CaseIterable {
    case gzip
    /// The zlib format by the RFC, bare deflate by many servers.
    case deflate
    case brotli = "br"

    /// nil for others; `x-gzip` is an old name (§8.4.1.3).
    package init?(name: String) {
        let name = HTTPFieldSyntax.lowercased(name)
        self.init(rawValue: name == "x-gzip" ? "gzip" : name)
    }
}
