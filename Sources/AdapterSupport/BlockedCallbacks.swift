import AdapterProtocol
import Dispatch
import Synchronization

/// The callbacks that are still to be blocked: the first one of each name in a task's policies.
final class BlockedCallbacks: Sendable {
    private let due = Mutex<[TaskName: Set<TaskEventName>]>([:])
    private let held: HeldDecisions

    init(held: HeldDecisions) { self.held = held }

    func begin(_ description: TaskDescription) {
        due.withLock { $0[description.task] = description.policies.blockedCallbacks }
    }

    /// Returns nil when this callback may return. The callback is registered for `release` before its event is
    /// reported.
    func next(_ callback: TaskEventName, of task: TaskName) -> DispatchSemaphore? {
        guard due.withLock({ $0[task]?.remove(callback) }) != nil else { return nil }
        let gate = DispatchSemaphore(value: 0)
        held.store({ gate.signal() }, of: task)
        return gate
    }
}
