/// The content of a body before it is compressed.
package enum UncompressedContent: Hashable, Sendable {
    case bytes([UInt8])
    /// This many zero bytes, which are never held in memory.
    case zeros(Int64)
}
