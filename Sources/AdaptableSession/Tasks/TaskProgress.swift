import Foundation
import Synchronization

/// The `Progress` of a task: the request's body is one half of the work where there is one, the answer's body the other (PROG-03).
/// Cancelling, pausing and resuming it act on the task (PROG-07 to PROG-09).
final class TaskProgress: Sendable {
    static let units: Int64 = 1000

    let progress: Progress
    private let told = Mutex<Int64>(0)

    init() {
        progress = Progress.discreteProgress(totalUnitCount: Self.units)
        progress.isCancellable = true
        progress.isPausable = true
    }

    func follow(_ task: AdaptableSessionTask) {
        progress.cancellationHandler = { [weak task] in task?.cancel() }
        progress.pausingHandler = { [weak task] in task?.suspend() }
        progress.resumingHandler = { [weak task] in task?.resume() }
    }

    /// Never goes back: a body that is sent again, or a length that becomes known late, shows as a standstill.
    func update(_ facts: TaskFacts) {
        let sending = Self.share(facts.sent, facts.expectedToSend)
        let receiving = facts.response == nil ? 0 : Self.share(facts.received, facts.expectedToReceive)
        let share = facts.expectedToSend == 0 ? receiving : (sending + receiving) / 2
        tell(min(Self.units - 1, Int64(share * Double(Self.units))))
    }

    func complete() { tell(Self.units) }

    private func tell(_ completed: Int64) {
        let isNews = told.withLock { told in
            guard completed > told else { return false }
            told = completed
            return true
        }
        if isNews { progress.completedUnitCount = completed }
    }

    private static func share(_ done: Int64, _ expected: Int64) -> Double {
        expected > 0 ? min(1, Double(done) / Double(expected)) : 0
    }
}
