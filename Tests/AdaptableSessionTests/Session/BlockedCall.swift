import Dispatch
import Synchronization

/// A callback that does not return when it is called the first time, until it is let go.
final class BlockedCall: Sendable {
    private let gate = DispatchSemaphore(value: 0)
    private let isReached = Mutex(false)

    func call() {
        let isFirst = isReached.withLock { reached in
            defer { reached = true }
            return !reached
        }
        if isFirst { gate.wait() }
    }

    func reached() async { while !isReached.withLock({ $0 }) { await Task.yield() } }

    func close() { gate.signal() }
}
