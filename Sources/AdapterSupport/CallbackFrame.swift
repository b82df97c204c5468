package import AdapterProtocol
package import Foundation

/// What surrounds every callback about a task: it may tell that it begins and ends, read the task's progress, and be kept from returning.
package struct CallbackFrame {
    private let queue: OperationQueue?
    private let registry: TaskRegistry
    private let output: EventOutput

    /// - Parameter queue: the one that the harness gave the session; nil when it gave none, and nothing is told of callbacks then.
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
