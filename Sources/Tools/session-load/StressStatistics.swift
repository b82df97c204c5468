import Dispatch
import Foundation
import FoundationNetworking
import Synchronization

/// The number and result of each task's completions. Every task must complete exactly once, and cause no callbacks
/// afterwards.
final class StressStatistics: Sendable {
    struct Counts {
        var cancelled = 0, succeeded = 0, failed = 0, resumed = 0
        var completedTwice = 0, callbacksAfterCompletion = 0
        var firstFailure: String?
        var ended: Int { cancelled + succeeded + failed }
        /// Indexed by task identifier.
        fileprivate var completions: [UInt8]
        fileprivate var open = 0
    }

    private let counts: Mutex<Counts>
    /// Limits the number of running tasks.
    private let slots: DispatchSemaphore
    private let quiet = DispatchSemaphore(value: 0)

    /// Creates a tally.
    ///
    /// - Parameter tasks: the maximum number of tasks; their storage is allocated now, so that it does not look like a
    ///   leak.
    init(tasks: Int, atATime: Int) {
        slots = DispatchSemaphore(value: atATime)
        counts = Mutex(Counts(completions: Array(repeating: 0, count: tasks + 1)))
    }

    var now: Counts { counts.withLock { $0 } }

    /// Counts a started operation; `settle` waits until every started operation has left.
    func enter() { counts.withLock { $0.open += 1 } }

    func leave() {
        let isLast = counts.withLock { counts in
            counts.open -= 1
            return counts.open == 0
        }
        if isLast { quiet.signal() }
    }

    /// Waits for a free slot; returns false if none became free within a minute, much longer than any task takes.
    func acquireSlot() -> Bool { slots.wait(timeout: .now() + 60) == .success }

    func resumed() { counts.withLock { $0.resumed += 1 } }

    func completed(_ number: Int, _ error: (any Error)?) {
        let isFirst = counts.withLock { counts in
            counts.completions[number] += 1
            guard counts.completions[number] == 1 else {
                counts.completedTwice += 1
                return false
            }
            if error == nil {
                counts.succeeded += 1
            } else if (error as? URLError)?.code == .cancelled {
                counts.cancelled += 1
            } else {
                counts.failed += 1
                if counts.firstFailure == nil { counts.firstFailure = "\(number): \(error.map { "\($0)" } ?? "")" }
            }
            return true
        }
        guard isFirst else { return }
        slots.signal()
        leave()
    }

    func didReceiveCallback(_ number: Int) {
        counts.withLock { if $0.completions[number] > 0 { $0.callbacksAfterCompletion += 1 } }
    }

    /// Waits until nothing is running; returns false if that takes more than a minute.
    func settle() -> Bool {
        let deadline = DispatchTime.now() + 60
        while counts.withLock({ $0.open > 0 }) {
            if quiet.wait(timeout: deadline) == .timedOut { return counts.withLock { $0.open == 0 } }
        }
        return true
    }
}
