import CLinux
package import NetworkMonitor

/// Determines if a thread may spin without taking a processor from another: one is idle and would stay idle.
///
/// The kernel counts runnable threads (proc(5), loadavg) on the whole machine, so in a container with fewer processors
/// the result is more often false than necessary.
package struct IdleCPUProbe: ~Copyable, Sendable {
    private let loadavg: OwnedDescriptor
    private let processors: CInt
    private var sampledAt = -IdleCPUProbe.keptFor
    private var isThereNow = false

    /// A check costs two microseconds, and a machine's load does not change from one packet to the next.
    private static let keptFor: Int64 = 500_000

    package static func make() throws(SystemCallError) -> IdleCPUProbe {
        IdleCPUProbe(
            loadavg: try SystemCallError.descriptor(cw_loadavg_open(), "open", "/proc/loadavg"),
            processors: try SystemCallError.check(cw_usable_processors(), "sched_getaffinity"))
    }

    private init(loadavg: consuming OwnedDescriptor, processors: CInt) {
        self.loadavg = loadavg
        self.processors = processors
    }

    /// Returns true if, apart from the calling thread's, another processor is idle. `now` is a time of the monotonic
    /// clock.
    package mutating func isThere(at now: Int64) -> Bool {
        if now - sampledAt < IdleCPUProbe.keptFor { return isThereNow }
        sampledAt = now
        let running = loadavg.withRaw { cw_running_threads($0) }
        // The caller is running, so it is one of them.
        isThereNow = running > 0 && running < processors
        return isThereNow
    }
}
