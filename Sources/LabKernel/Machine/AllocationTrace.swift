import CLabKernel

/// Counts the allocations of a section of code with glibc's own log (mtrace(3)).
///
/// Works in a process that was started with `environment`; otherwise nothing is logged.
package enum AllocationTrace {
    package static func environment(logTo path: String) -> [String: String] {
        ["LD_PRELOAD": "libc_malloc_debug.so.0", "MALLOC_TRACE": path]
    }

    package static func start() { cw_allocations_trace(1) }
    package static func stop() { cw_allocations_trace(0) }

    /// Counts the allocations in a log: its lines of the form `@ place + address size`; `>` marks the result of a
    /// reallocation.
    package static func count(inLog text: some StringProtocol) -> Int {
        text.split(separator: "\n").count { line in
            let words = line.split(separator: " ")
            return words.first == "@" && (words.contains("+") || words.contains(">"))
        }
    }
}

/// The memory allocated and not freed in this process.
package enum HeapStatistics {
    /// The bytes in use in all arenas, including large blocks (mallinfo2(3)).
    package static var bytesInUse: Int { cw_allocated_bytes() }
}
