import LinuxNet
import Scenario
import Synchronization

/// What other threads tell the run's thread.
final class RunInbox: Sendable {
    enum Message: Sendable {
        case server(ServerFact)
        case name(NameFact)
        case mark(PacketMark)
        /// Our own side broke.
        case failed(String)
        /// Somebody pressed Ctrl-C.
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
