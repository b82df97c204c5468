/// Decompresses one stream incrementally. Returns at most the requested number of bytes per call, so that a small input
/// with a huge output uses little memory.
package protocol Decompressor: AnyObject {
    /// True when the stream is complete; later input does not belong to it.
    var isEnded: Bool { get }

    /// Appends up to `limit` bytes to `output` and consumes the necessary part of `input`; returns the number of
    /// consumed bytes. If nothing was consumed or appended, more input is needed or the stream has ended.
    func advance(_ input: Span<UInt8>, into output: inout [UInt8], limit: Int) throws(DecompressionError) -> Int
}

package enum Decompressors {
    package static func make(_ form: CompressionForm) throws(DecompressionError) -> any Decompressor {
        switch form {
        case .gzip: try Inflater(windowBits: 15 + 16)
        case .zlib: try Inflater(windowBits: 15)
        case .rawDeflate: try Inflater(windowBits: -15)
        case .brotli: try BrotliDecompressor()
        }
    }
}
