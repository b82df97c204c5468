/// One stream being taken apart, a part of it at a time. Gives no more at once than it is asked for, so that a small input that stands for a
/// huge output costs no memory.
package protocol Decompressor: AnyObject {
    /// The stream is complete; what follows is not its own.
    var isEnded: Bool { get }

    /// Appends up to `limit` bytes to `output` and takes as much of `input` as that needed; returns how much. Nothing taken and nothing
    /// appended: more input is needed, or the stream is ended.
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
