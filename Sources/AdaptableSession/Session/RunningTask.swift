import Synchronization

/// The task of an asynchronous call, which may be cancelled before the task is created.
final class RunningTask: Sendable {
    private struct State {
        var task: AdaptableSessionTask?
        var isCancelled = false
    }

    private let state = Mutex(State())

    func run(_ task: AdaptableSessionTask) {
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        // A task that is cancelled before it starts still completes (DLGT-07).
        if isCancelled { task.cancel() } else { task.resume() }
    }

    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }
}
