import Dispatch
import Foundation
import FoundationNetworking
import Synchronization

/// How often each task of a storm completed, and with what. Every one must complete exactly once, and hear nothing afterwards.
final class StormTally: Sendable {
    struct Counts {
        var cancelled = 0, succeeded = 0, failed = 0, resumed = 0
        var completedTwice = 0, heardAfterwards = 0
        var firstFailure: String?
        var ended: Int { cancelled + succeeded + failed }
        /// By task identifier.
        fileprivate var completions: [UInt8]
        fileprivate var open = 0
    }

    private let counts: Mutex<Counts>
    /// So many tasks are under way at a time.
    private let slots: DispatchSemaphore
    private let quiet = DispatchSemaphore(value: 0)

    /// - Parameter tasks: as many as there can be; the room for them is taken now, so that it does not look like a leak.
    init(tasks: Int, atATime: Int) {
        slots = DispatchSemaphore(value: atATime)
        counts = Mutex(Counts(completions: Array(repeating: 0, count: tasks + 1)))
    }

    var now: Counts { counts.withLock { $0 } }

    /// Something is under way from now on; `settle` waits until as many have left as entered.
    func enter() { counts.withLock { $0.open += 1 } }

    func leave() {
        let isLast = counts.withLock { counts in
            counts.open -= 1
            return counts.open == 0
        }
        if isLast { quiet.signal() }
    }

    /// Waits for a free slot; false when none became free for a minute, which nothing of a storm takes.
    func takeSlot() -> Bool { slots.wait(timeout: .now() + 60) == .success }

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

    func heard(_ number: Int) {
        counts.withLock { if $0.completions[number] > 0 { $0.heardAfterwards += 1 } }
    }

    /// Returns when nothing is under way; false when that did not come within a minute.
    func settle() -> Bool {
        let deadline = DispatchTime.now() + 60
        while counts.withLock({ $0.open > 0 }) {
            if quiet.wait(timeout: deadline) == .timedOut { return counts.withLock { $0.open == 0 } }
        }
        return true
    }
}
