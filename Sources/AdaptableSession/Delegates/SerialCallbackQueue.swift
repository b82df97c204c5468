import Foundation
import NIOCore
import Synchronization

/// The queue in which the callbacks of one task wait for the delegate queue: they run one at a time and in order,
/// regardless of the delegate queue's width (DLGT-17). A callback that does not return blocks only the callbacks of its
/// own task (DLGT-16).
final class SerialCallbackQueue: Sendable {
    private struct State {
        // Small, because the callbacks of queued tasks rarely wait.
        var waiting = CircularBuffer<@Sendable () -> Void>(initialCapacity: 1)
        var isRunning = false
    }

    /// The number of callbacks that run in one operation, so that one task does not occupy a serial queue.
    private static let turn = 16

    private let queue: OperationQueue
    private let keepsOrder: Bool
    private let state = Mutex(State())

    init(queue: OperationQueue, keepsOrder: Bool = true) {
        self.queue = queue
        self.keepsOrder = keepsOrder
    }

    func post(_ callback: @escaping @Sendable () -> Void) {
        guard keepsOrder else { return queue.addOperation(callback) }
        let begins = state.withLock { state in
            state.waiting.append(callback)
            if state.isRunning { return false }
            state.isRunning = true
            return true
        }
        if begins { run() }
    }

    private func run() {
        queue.addOperation {
            for _ in 0..<Self.turn {
                let next: (@Sendable () -> Void)? = self.state.withLock { state in
                    if let first = state.waiting.popFirst() { return first }
                    state.isRunning = false
                    return nil
                }
                guard let next else { return }
                next()
            }
            self.run()
        }
    }
}
