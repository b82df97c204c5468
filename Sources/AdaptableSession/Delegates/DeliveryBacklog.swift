import Synchronization

/// The number of bytes that wait for a task's callbacks. When it exceeds the limit, reading pauses until the delegate
/// catches up.
final class DeliveryBacklog: Sendable {
    private struct State {
        var bytes = 0
        var isFull = false
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit }

    var isFull: Bool { state.withLock { $0.isFull } }

    func add(_ count: Int) {
        state.withLock { state in
            state.bytes += count
            if state.bytes > limit { state.isFull = true }
        }
    }

    /// Returns true when there is room again after the backlog was full.
    func remove(_ count: Int) -> Bool {
        state.withLock { state in
            state.bytes -= count
            guard state.isFull, state.bytes <= limit / 2 else { return false }
            state.isFull = false
            return true
        }
    }
}
