import CLinux

/// Says whether a thread may spin without taking a processor from anybody: one is idle and would stay idle.
///
/// The kernel's count of threads that run or want to run (proc(5), loadavg) is the whole machine's, so in a container with fewer
/// processors the answer is more often no than it need be.
package struct SpareProcessor: ~Copyable, Sendable {
    private let loadavg: OwnedDescriptor
    private let processors: CInt
    private var askedAt = -SpareProcessor.keptFor
    private var isThereNow = false

    /// A look costs two microseconds, and a machine's load does not change from one packet to the next.
    private static let keptFor: Int64 = 500_000

    package static func make() throws(SystemCallError) -> SpareProcessor {
        SpareProcessor(
            loadavg: try SystemCallError.descriptor(cw_loadavg_open(), "open", "/proc/loadavg"),
            processors: try SystemCallError.check(cw_usable_processors(), "sched_getaffinity"))
    }

    private init(loadavg: consuming OwnedDescriptor, processors: CInt) {
        self.loadavg = loadavg
        self.processors = processors
    }

    /// Whether, beside the calling thread, another processor has nothing to do. `now` is the monotonic clock's.
    package mutating func isThere(at now: Int64) -> Bool {
        if now - askedAt < SpareProcessor.keptFor { return isThereNow }
        askedAt = now
        let running = loadavg.withRaw { cw_running_threads($0) }
        // The caller runs, so it is one of them.
        isThereNow = running > 0 && running < processors
        return isThereNow
    }
}
