package import AdapterProtocol

/// Tells what a store of the adapter's own class is asked, and holds its answer back where the script says so.
package struct StoreWatch: Sendable {
    private let notes: TaskNotes
    private let output: EventOutput

    package init(notes: TaskNotes, output: EventOutput) {
        self.notes = notes
        self.output = output
    }

    package func wrote(to store: WatchedStore, _ task: TaskName, url: String) {
        output.emit(task, .storeAccess(TaskEvent.StoreQuestion(store: store, action: .write, url: url)))
    }

    /// What is held is known before the event is told, so that no `release` comes too early.
    package func read(_ store: WatchedStore, _ task: TaskName, url: String, answer: @escaping @Sendable () -> Void) {
        let isHeld = notes.policies(of: task).held.contains(.store)
        if isHeld { notes.held.hold(answer, of: task) }
        output.emit(task, .storeAccess(TaskEvent.StoreQuestion(store: store, action: .read, url: url)))
        if !isHeld { answer() }
    }
}
