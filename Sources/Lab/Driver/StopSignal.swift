import LinkEngines
import Synchronization

/// Distributes Ctrl-C to the loops in progress, and to those that have not started yet.
package final class StopSignal: Sendable {
    private struct State {
        var isRaised = false
        var inboxes: [Inbox<LabMessage>] = []
    }
    private let state = Mutex(State())

    package init() {}

    package var isRaised: Bool { state.withLock { $0.isRaised } }

    package func raise() {
        let inboxes = state.withLock { state in
            state.isRaised = true
            return state.inboxes
        }
        for inbox in inboxes { inbox.post(.stopped) }
    }

    func register(_ inbox: Inbox<LabMessage>) {
        let isRaised = state.withLock { state in
            state.inboxes.append(inbox)
            return state.isRaised
        }
        if isRaised { inbox.post(.stopped) }
    }

    func forget(_ inbox: Inbox<LabMessage>) { state.withLock { $0.inboxes.removeAll { $0 === inbox } } }
}
