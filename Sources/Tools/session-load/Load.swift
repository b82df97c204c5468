import Dispatch
import Foundation
import Synchronization

/// A number of exchanges, of which a limited number runs at a time.
final class Load: Sendable {
    private struct State {
        var left: Int
        var open = 0
        var bytes = 0
        var failed = 0
    }

    private let state: Mutex<State>
    private let begin: @Sendable (@escaping @Sendable (Int?) -> Void) -> Void
    private let ended = DispatchSemaphore(value: 0)

    /// Creates a load.
    ///
    /// - Parameter begin: starts one exchange and calls back when it has ended.
    init(count: Int, begin: @escaping @Sendable (@escaping @Sendable (Int?) -> Void) -> Void) {
        state = Mutex(State(left: count))
        self.begin = begin
    }

    /// Runs the exchanges and returns when all have ended.
    func run(atATime: Int) -> (seconds: Double, bytes: Int, failed: Int) {
        let begun = DispatchTime.now().uptimeNanoseconds
        for _ in 0..<atATime { next() }
        ended.wait()
        let seconds = Double(DispatchTime.now().uptimeNanoseconds - begun) / 1e9
        return state.withLock { (seconds, $0.bytes, $0.failed) }
    }

    private func next() {
        let continues = state.withLock { state in
            guard state.left > 0 else { return false }
            state.left -= 1
            state.open += 1
            return true
        }
        guard continues else { return }
        begin { [self] bytes in
            let isLast = state.withLock { state in
                state.bytes += bytes ?? 0
                if bytes == nil { state.failed += 1 }
                state.open -= 1
                return state.left == 0 && state.open == 0
            }
            if isLast { ended.signal() } else { next() }
        }
    }
}
