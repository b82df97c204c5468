import AdapterProtocol
import Synchronization

/// Decisions held back for the harness: their callbacks have returned, and `release` calls the handlers in the order of
/// the callbacks.
final class HeldDecisions: Sendable {
    private let waiting = Mutex<[TaskName: [@Sendable () -> Void]]>([:])

    init() {}

    func store(_ completion: @escaping @Sendable () -> Void, of task: TaskName) {
        waiting.withLock { $0[task, default: []].append(completion) }
    }

    /// Releases the oldest decision; returns false when none is held.
    func release(_ task: TaskName) -> Bool {
        let completion = waiting.withLock { waiting -> (@Sendable () -> Void)? in
            guard var completions = waiting[task], !completions.isEmpty else { return nil }
            let first = completions.removeFirst()
            waiting[task] = completions
            return first
        }
        completion?()
        return completion != nil
    }
}
