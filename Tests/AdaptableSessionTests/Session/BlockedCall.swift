import Dispatch
import Synchronization

/// A callback that blocks on its first call until it is released.
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

    func reached() async throws {
        while !isReached.withLock({ $0 }) {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    func close() { gate.signal() }
}
