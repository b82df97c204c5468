/// A command from the harness to an adapter. It never contains the expected outcome.
package enum AdapterCommand: Hashable, Sendable {
    /// The first command of a run; `capabilities` are queried by name, and one of them is made up.
    case hello(capabilities: [String])
    case makeSession(SessionName, SessionConfiguration)
    /// Creates a task, suspended.
    case makeTask(TaskDescription)
    /// Sent to a later process, before `makeSession`: an earlier one made this task in a background session. Its events
    /// are reported under its name, with these policies.
    case restoreTask(TaskDescription)
    case resume(TaskName)
    case suspend(TaskName)
    case cancel(TaskName)
    case cancelProducingResumeData(TaskName)
    /// Requests an `inspected` event.
    case inspect(TaskName)
    /// Releases a decision held back by `TaskPolicies.held`.
    case release(TaskName)
    /// Reads again the content that the task delivered: `retainedContent` pieces, then `retained`.
    case readRetained(TaskName)
    /// Looks up the cached response for the task's request without loading: a `cacheInspected` event.
    case inspectCache(TaskName, by: CacheLookup)
    /// Uses the task's `Progress`: a `progressRead` event follows the action.
    case progress(TaskName, ProgressAction)
    /// Reads, writes or changes the connection of a stream task.
    case stream(TaskName, StreamAction)
    /// Reads a property of a task: a `propertyRead` event.
    case readProperty(TaskName, TaskProperty)
    /// Reads a property of a session: a `sessionPropertyRead` event.
    case readSessionProperty(SessionName, SessionProperty)
    /// Lists the outstanding tasks of a session: a `tasksListed` event.
    case listTasks(SessionName)
    /// Writes to a configuration object of a session that exists already.
    case configure(SessionName, through: ConfigurationObject, SessionConfiguration)
    case invalidate(SessionName, cancelling: Bool)
    /// Calls `flush` or `reset` of a session: a `didFlush` or `didReset` event follows.
    case empty(SessionName, SessionEmptying)
    /// The system puts the app into the background or foreground, as `UIApplication` notifies it.
    case setApplicationState(ApplicationState)
    /// Ends the adapter with status 0.
    case end
}

extension AdapterCommand {
    /// The capabilities that an implementation needs for this command.
    package var needs: Set<Capability> {
        switch self {
        case .hello, .resume, .end: []
        case .makeSession(_, let configuration): configuration.needs
        case .makeTask(let task), .restoreTask(let task): task.needs
        case .setApplicationState: [.applicationState]
        case .suspend: [.suspend]
        case .cancel: [.cancel]
        case .cancelProducingResumeData: [.cancelProducingResumeData]
        case .inspect: [.inspectTask]
        case .release: [.heldDecisions]
        case .readRetained: [.readRetained]
        case .inspectCache: [.cache, .cacheLookup]
        case .progress: [.progress]
        case .stream(_, let action): action.needs
        case .readProperty: [.taskProperties]
        case .readSessionProperty: [.sessionProperties]
        case .listTasks: [.taskList]
        case .configure(_, _, let configuration): configuration.needs.union([.configurationObjects])
        case .invalidate: [.invalidate]
        case .empty: [.sessionReset]
        }
    }
}

extension StreamAction {
    fileprivate var needs: Set<Capability> {
        switch self {
        case .read, .write, .closeRead, .closeWrite: [.streamTask]
        case .secure: [.streamTask, .tls]
        case .captureStreams, .readCaptured, .writeCaptured, .closeCaptured: [.streamTask, .streamCapture]
        }
    }
}
