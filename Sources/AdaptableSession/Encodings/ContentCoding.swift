import HTTPFields

/// The content codings that a session decodes (RFC 9110 §8.4.1, RFC 7932 §13).
package enum ContentCoding: String, Hashable, Sendable, CaseIterable {
    case gzip
    /// The zlib format as in the RFC, or raw deflate, which many servers send.
    case deflate
    case brotli = "br"

    /// Returns nil for an unknown coding; `x-gzip` is an old name of gzip (§8.4.1.3).
    package init?(name: String) {
        let name = HTTPFieldSyntax.lowercased(name)
        self.init(rawValue: name == "x-gzip" ? "gzip" : name)
    }
}
