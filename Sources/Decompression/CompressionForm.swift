/// The supported compression formats.
package enum CompressionForm: Hashable, Sendable, CaseIterable {
    /// RFC 1952, one member.
    case gzip
    /// RFC 1950.
    case zlib
    /// RFC 1951 without a wrapper.
    case rawDeflate
    /// RFC 7932.
    case brotli
}
