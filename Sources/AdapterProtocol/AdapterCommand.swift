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
    /// Gives the answer that `TaskPolicies.held` keeps back.
    case release(TaskName)
    /// Reads again what the task delivered: `retainedContent` pieces, then `retained`.
    case readRetained(TaskName)
    /// Asks what the session's cache holds for the task's request: a `cacheInspected` event. Nothing is loaded.
    case inspectCache(TaskName, by: CacheLookup)
    /// Uses the task's `Progress`: a `progressRead` event answers, after the action.
    case progress(TaskName, ProgressAction)
    /// Reads, writes or changes the connection of a stream task.
    case stream(TaskName, StreamAction)
    /// Reads a property of a task: a `propertyRead` event.
    case readProperty(TaskName, TaskProperty)
    /// Reads a property of a session: a `sessionPropertyRead` event.
    case readSessionProperty(SessionName, SessionProperty)
    /// Writes to a configuration object of a session that has been made.
    case configure(SessionName, through: ConfigurationObject, SessionConfiguration)
    case invalidate(SessionName, cancelling: Bool)
    /// The adapter ends with status 0.
    case end
}
