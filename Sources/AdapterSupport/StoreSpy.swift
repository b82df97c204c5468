package import AdapterProtocol

/// Tells what a store of the adapter's own class is asked, and holds its answer back where the script says so.
package struct StoreSpy: Sendable {
    private let registry: TaskRegistry
    private let output: EventOutput

    package init(registry: TaskRegistry, output: EventOutput) {
        self.registry = registry
        self.output = output
    }

    package func wrote(to store: SpyStore, _ task: TaskName, url: String) {
        output.emit(task, .storeAccess(TaskEvent.StoreAccess(store: store, action: .write, url: url)))
    }

    /// What is held is known before the event is told, so that no `release` comes too early.
    package func read(_ store: SpyStore, _ task: TaskName, url: String, completion: @escaping @Sendable () -> Void) {
        let isHeld = registry.policies(of: task).held.contains(.store)
        if isHeld { registry.held.store(completion, of: task) }
        output.emit(task, .storeAccess(TaskEvent.StoreAccess(store: store, action: .read, url: url)))
        if !isHeld { completion() }
    }
}
