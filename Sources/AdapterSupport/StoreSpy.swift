package import AdapterProtocol

/// Reports each access to a store of the adapter's class, and holds its reply back where the script requests it.
package struct StoreSpy: Sendable {
    let registry: TaskRegistry
    let output: EventOutput

    package func wrote(to store: SpyStore, for task: some ClientTask) {
        report(store, .write, task.name, url: task.currentURL)
    }

    /// The reply is held before the event is reported, so that no `release` comes too early.
    package func read(_ store: SpyStore, for task: some ClientTask, completion: @escaping @Sendable () -> Void) {
        let name = task.name
        let isHeld = registry.policies(of: name).held.contains(.store)
        if isHeld { registry.held.store(completion, of: name) }
        report(store, .read, name, url: task.currentURL)
        if !isHeld { completion() }
    }

    private func report(_ store: SpyStore, _ action: TaskEvent.StoreAccess.Action, _ task: TaskName, url: String) {
        output.emit(task, .storeAccess(TaskEvent.StoreAccess(store: store, action: action, url: url)))
    }
}
