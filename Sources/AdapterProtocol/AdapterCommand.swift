/// What the harness asks an adapter to do. It never says what is expected.
package enum AdapterCommand: Hashable, Sendable {
    /// Opens the conversation; `capabilities` are asked by name, one of them nonsense.
    case hello(capabilities: [String])
    case makeSession(SessionName, SessionConfiguration)
    /// Makes a task, suspended.
    case makeTask(TaskDescription)
    case resume(TaskName)
    case suspend(TaskName)
    case cancel(TaskName)
    case cancelProducingResumeData(TaskName)
    /// Asks for an `inspected` event.
    case inspect(TaskName)
    case invalidate(SessionName, cancelling: Bool)
    /// The adapter ends with status 0.
    case end
}
