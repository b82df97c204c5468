package import AdapterProtocol
import Synchronization

/// Answers that the harness keeps back: their callbacks have returned, and `release` calls the handlers in the order of the callbacks.
package final class HeldDecisions: Sendable {
    private let waiting = Mutex<[TaskName: [@Sendable () -> Void]]>([:])

    package init() {}

    package func hold(_ answer: @escaping @Sendable () -> Void, of task: TaskName) {
        waiting.withLock { $0[task, default: []].append(answer) }
    }

    /// Gives the oldest; false when nothing is held.
    package func release(_ task: TaskName) -> Bool {
        let answer = waiting.withLock { waiting -> (@Sendable () -> Void)? in
            guard var answers = waiting[task], !answers.isEmpty else { return nil }
            let first = answers.removeFirst()
            waiting[task] = answers
            return first
        }
        answer?()
        return answer != nil
    }
}
