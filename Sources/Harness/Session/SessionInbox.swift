import LinuxNet
import Scenario
import Synchronization

/// What other threads tell the session's thread.
final class SessionInbox: Sendable {
    enum Message: Sendable {
        case server(ServerFact)
        case name(NameFact)
        case mark(PacketMark)
        case control(ControlRequest, ControlServer.Answer)
        /// Our own side broke.
        case failed(String)
        /// Somebody wants it to end: Ctrl-C, or the terminal is gone.
        case stopped
    }

    private let messages = Mutex<[Message]>([])
    private let waker: Waker

    init() throws(SystemCallError) { waker = try Waker.make() }

    func tell(_ message: Message) {
        messages.withLock { $0.append(message) }
        waker.wake()
    }

    func take() -> [Message] {
        _ = waker.clear()
        return messages.withLock { messages in
            let taken = messages
            messages.removeAll()
            return taken
        }
    }

    func register(in poller: borrowing Poller, token: UInt64) throws(SystemCallError) {
        try waker.withRaw { raw throws(SystemCallError) in try poller.add(raw, for: .readable, token: token) }
    }
}

/// By which a signal handler ends a session, also before it has begun.
package final class SessionStop: Sendable {
    private struct State {
        var isRaised = false
        var inbox: SessionInbox?
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

    func register(_ inbox: SessionInbox) {
        let isRaised = state.withLock { state in
            state.inbox = inbox
            return state.isRaised
        }
        if isRaised { inbox.tell(.stopped) }
    }
}
