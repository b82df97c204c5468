import CLinux

/// What the allocator of this process has given out and not got back.
package enum HeapFigures {
    /// In all arenas, large blocks included (mallinfo2(3)).
    package static var bytesInUse: Int { cw_allocated_bytes() }
}
