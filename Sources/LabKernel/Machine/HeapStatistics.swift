import CLabKernel

/// The memory allocated and not freed in this process.
package enum HeapStatistics {
    /// The bytes in use in all arenas, including large blocks (mallinfo2(3)).
    package static var bytesInUse: Int { cw_allocated_bytes() }
}
