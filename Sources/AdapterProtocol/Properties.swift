/// A property of a task, beside its state and counters.
package enum TaskProperty: String, CaseIterable, Hashable, Sendable {
    /// The status of the task's `response` (TASK-12); nil before it has one.
    case response
    /// The task's number within the session (TASK-04).
    case identifier
    /// The kinds of task that its class is, among `data`, `upload` and `download`, in this order, separated by spaces
    /// (TASK-13).
    case classes
    /// The number of callbacks so far that ran inside a call of `resume()` of any task (TASK-15).
    case callsInsideResume
    /// `delegateQueue` if its completion handler ran on the session's delegate queue, otherwise `elsewhere`; nil before
    /// it ran (CONV-09).
    case handlerQueue
}

/// The state of an app, as the system reports it to the app.
package enum ApplicationState: String, CaseIterable, Hashable, Sendable { case background, foreground }

/// A property of a session.
package enum SessionProperty: String, CaseIterable, Hashable, Sendable {
    /// Every setting of its configuration except the stores, as text; equal settings give equal text (CONF-07).
    case settings
}

/// The object through which a configuration is written to after its session has been made.
package enum ConfigurationObject: String, CaseIterable, Hashable, Sendable {
    /// The object that the session was made with (CONF-01).
    case original
    /// A copy that the session returns from its `configuration` property (CONF-02).
    case readBack
}

/// A store of a session whose accesses are reported (STOR-01 to STOR-05).
package enum SpyStore: String, CaseIterable, Hashable, Sendable { case cookies, cache, credentials }
