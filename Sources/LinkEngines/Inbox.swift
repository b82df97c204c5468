package import NetworkMonitor
import Synchronization

/// A queue of messages from any thread to one that waits in a poller.
package final class Inbox<Message: Sendable>: Sendable {
    private let messages = Mutex<[Message]>([])
    private let waker: Waker

    package init() throws(SystemCallError) { waker = try Waker.make() }

    package func post(_ message: Message) {
        messages.withLock { $0.append(message) }
        waker.wake()
    }

    /// Returns all messages since the last call, in order.
    package func drain() -> [Message] {
        _ = waker.clear()
        return messages.withLock { messages in
            let taken = messages
            messages.removeAll()
            return taken
        }
    }

    package func register(in poller: borrowing Poller, token: UInt64) throws(SystemCallError) {
        try waker.withRaw { raw throws(SystemCallError) in try poller.add(raw, for: .readable, token: token) }
    }

    /// Waits for a message or the deadline, for a thread that waits for nothing else.
    package func wait(until deadline: Int64) throws(SystemCallError) {
        _ = try waker.withRaw { raw throws(SystemCallError) in try Poller.wait(for: raw, .readable, until: deadline) }
    }
}
