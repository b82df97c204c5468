import Synchronization

/// Lets a signal handler end an interactive lab, even before it has started.
package final class InteractiveLabStop: Sendable {
    private struct State {
        var isRaised = false
        var inbox: Inbox<InteractiveLabMessage>?
    }
    private let state = Mutex(State())

    package init() {}

    package func raise() {
        let inbox = state.withLock { state in
            state.isRaised = true
            return state.inbox
        }
        inbox?.post(.stopped)
    }

    func register(_ inbox: Inbox<InteractiveLabMessage>) {
        let isRaised = state.withLock { state in
            state.inbox = inbox
            return state.isRaised
        }
        if isRaised { inbox.post(.stopped) }
    }
}
