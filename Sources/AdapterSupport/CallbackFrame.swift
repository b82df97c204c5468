package import AdapterProtocol
package import Foundation

/// The frame around every callback about a task: it can report that the callback begins and ends, read the task's
/// progress, and block the callback.
package struct CallbackFrame {
    private let queue: OperationQueue?
    private let registry: TaskRegistry
    private let output: EventOutput

    /// - Parameter queue: The queue that the harness gave the session; nil when it gave none, and then callbacks are
    ///   not reported as begun and ended.
    package init(queue: OperationQueue?, registry: TaskRegistry, output: EventOutput) {
        self.queue = queue
        self.registry = registry
        self.output = output
    }

    package func run(_ task: TaskName, _ callback: TaskEventName, _ progress: Progress?, _ body: () -> Void) {
        if let queue { output.emit(task, .callbackBegan(callback, isOnQueue: OperationQueue.current === queue)) }
        if let progress, registry.progress.isWatched(task) { registry.progress.report(progress, of: task, to: output) }
        let gate = registry.blockedCallbacks.next(callback, of: task)
        body()
        gate?.wait()
        if queue != nil { output.emit(task, .callbackEnded(callback)) }
    }
}
