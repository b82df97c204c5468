import Foundation
import LabKernel
import Synchronization

/// Delays the start of runs until processors are available: scenarios mostly wait, but a start needs processor time,
/// and many at once would slow down the runs that are being measured.
///
/// As many runs as there are processors may always run; more only while processor pressure is low.
final class ConcurrencyLimiter: Sendable {
    private struct State {
        var running = 0
        /// nil where the kernel does not measure pressure: then only the number of jobs counts.
        var pressure = CPUPressure()
    }

    private let processors: Int
    private let state = Mutex(State())

    /// The share of time with waiting threads above which no run starts: the pressure of three busy threads on two
    /// processors.
    private static let bound = 0.6
    /// The time in which a start shows up in the pressure before the next run is admitted.
    private static let window = Duration.milliseconds(50)

    /// One instance for the whole process: concurrent suites share the machine.
    static let machine = ConcurrencyLimiter(processors: ProcessInfo.processInfo.activeProcessorCount)

    private init(processors: Int) { self.processors = processors }

    /// Waits for admission, at the latest until other runs have left. Every call must be followed by one of `leave`.
    func acquire() {
        // The kernel's notifications of pressure need windows of at least half a second, so the pressure is polled.
        while !state.withLock({ canAcquire(&$0) }) { usleep(10_000) }
    }

    func release() { state.withLock { $0.running -= 1 } }

    private func canAcquire(_ state: inout State) -> Bool {
        if state.running >= processors, state.pressure != nil {
            guard let share = state.pressure?.share(over: ConcurrencyLimiter.window), share < ConcurrencyLimiter.bound
            else { return false }
        }
        state.running += 1
        return true
    }
}
