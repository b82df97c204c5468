/// The reason why a stream cannot be decompressed.
package enum DecompressionError: Error, Hashable, Sendable {
    /// The bytes violate the format, or their checksum is wrong; `reason` is the library's message.
    case corrupt(reason: String)
    /// The memory for the window could not be allocated.
    case outOfMemory
}

extension DecompressionError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .corrupt(let reason): "the compressed data is corrupt: \(reason)"
        case .outOfMemory: "not enough memory to decompress the data"
        }
    }
}
