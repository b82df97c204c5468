package import AdapterProtocol
package import Dispatch
import Synchronization

/// Which callbacks are yet to be kept from returning: of each name that a task's policies list, the first one.
package final class BlockedCallbacks: Sendable {
    private let due = Mutex<[TaskName: Set<TaskEventName>]>([:])
    private let held: HeldDecisions

    package init(held: HeldDecisions) { self.held = held }

    package func begin(_ description: TaskDescription) {
        due.withLock { $0[description.task] = description.policies.blockedCallbacks }
    }

    /// nil when this callback may return. Known to `release` before the event is told.
    package func next(_ callback: TaskEventName, of task: TaskName) -> DispatchSemaphore? {
        guard due.withLock({ $0[task]?.remove(callback) }) != nil else { return nil }
        let gate = DispatchSemaphore(value: 0)
        held.store({ gate.signal() }, of: task)
        return gate
    }
}
