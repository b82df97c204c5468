import Dispatch
import Foundation
import LabKernel
import Synchronization

/// Delays the start of runs until processors are available: scenarios mostly wait, but a start needs processor time,
/// and many at once would slow down the runs that are being measured.
///
/// As many runs as there are processors may always run. More start only while processor pressure is low: each reading
/// admits one for each processor.
final class ConcurrencyLimiter: Sendable {
    private let processors: Int
    /// Returns the pressure since the last call; nil when too little time has passed. Without a function only the
    /// number of jobs counts.
    private let pressure: (@Sendable () -> Double?)?
    private let running = Mutex(0)
    /// The runs that may still start because of the last reading of the pressure.
    private let admitted = Mutex(0)
    /// Held by the one thread whose run is the next to start, so that only one reads the pressure; the others queue.
    private let turn = Mutex(())
    private let ended = DispatchSemaphore(value: 0)

    /// The share of time with waiting threads above which no run starts: the pressure of three busy threads on two
    /// processors.
    private static let bound = 0.6
    /// The time in which a start shows up in the pressure before the next run is admitted.
    private static let window = Duration.milliseconds(50)

    /// One instance for the whole process: concurrent suites share the machine.
    static let machine: ConcurrencyLimiter = {
        let processors = ProcessInfo.processInfo.activeProcessorCount
        guard let found = CPUPressure() else { return ConcurrencyLimiter(processors: processors, pressure: nil) }
        let pressure = Mutex(found)
        return ConcurrencyLimiter(processors: processors) { pressure.withLock { $0.share(over: window) } }
    }()

    init(processors: Int, pressure: (@Sendable () -> Double?)?) {
        self.processors = processors
        self.pressure = pressure
    }

    /// Waits for admission, at the latest until other runs have ended. Every call must be followed by one of `release`.
    func acquire() {
        turn.withLock { _ in
            // Woken by the end of a run. The pressure has to be read again after each window: the kernel's notifications
            // of pressure need windows of at least half a second.
            while !canStart { _ = ended.wait(timeout: .now() + .milliseconds(50)) }
            running.withLock { $0 += 1 }
        }
    }

    func release() {
        running.withLock { $0 -= 1 }
        ended.signal()
    }

    private var canStart: Bool {
        if running.withLock({ $0 < processors }) { return true }
        guard let pressure else { return true }
        if let share = pressure() { admitted.withLock { $0 = share < ConcurrencyLimiter.bound ? processors : 0 } }
        return admitted.withLock { left in
            guard left > 0 else { return false }
            left -= 1
            return true
        }
    }
}
