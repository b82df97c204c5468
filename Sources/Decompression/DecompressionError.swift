/// Why a stream cannot be taken apart.
package enum DecompressionError: Error, Hashable, Sendable {
    /// The bytes break the format, or their checksum is wrong; `reason` is the library's word.
    case corrupt(reason: String)
    /// There is no memory for the window.
    case outOfMemory
}

extension DecompressionError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .corrupt(let reason): "the compressed data is corrupt: \(reason)"
        case .outOfMemory: "there is no memory to take the compressed data apart"
        }
    }
}
