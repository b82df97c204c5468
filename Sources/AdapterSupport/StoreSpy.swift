package import AdapterProtocol

/// Reports each access to a store of the adapter's class, and holds its reply back where the script requests it.
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

    /// The reply is held before the event is reported, so that no `release` comes too early.
    package func read(_ store: SpyStore, _ task: TaskName, url: String, completion: @escaping @Sendable () -> Void) {
        let isHeld = registry.policies(of: task).held.contains(.store)
        if isHeld { registry.held.store(completion, of: task) }
        output.emit(task, .storeAccess(TaskEvent.StoreAccess(store: store, action: .read, url: url)))
        if !isHeld { completion() }
    }
}
