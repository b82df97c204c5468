import Synchronization

/// Lets a signal handler end an interactive lab, even before it has started.
package final class SessionStop: Sendable {
    private struct State {
        var isRaised = false
        var inbox: Inbox<SessionMessage>?
    }
    private let state = Mutex(State())

    package init() {}

    package func raise() {
        let inbox = state.withLock { state in
            state.isRaised = true
            return state.inbox
        }
        inbox?.tell(.stopped)
    }

    func register(_ inbox: Inbox<SessionMessage>) {
        let isRaised = state.withLock { state in
            state.inbox = inbox
            return state.isRaised
        }
        if isRaised { inbox.tell(.stopped) }
    }
}
