/// What can be asked of a task beside its state and counters.
package enum TaskProperty: String, CaseIterable, Hashable, Sendable {
    /// The status of the response that the task shows (TASK-12); nothing before there is one.
    case response
    /// Its number within the session (TASK-04).
    case identifier
    /// Which kinds of task it is by its class, of `data`, `upload` and `download`, in this order, with a blank between (TASK-13).
    case classes
    /// How many callbacks ran inside a call of `resume()` of any task so far (TASK-15).
    case callsInsideResume
    /// `delegateQueue` where its completion handler ran on the session's delegate queue, else `elsewhere`; nothing before it ran (CONV-09).
    case handlerQueue
}

/// What can be asked of a session.
package enum SessionProperty: String, CaseIterable, Hashable, Sendable {
    /// Every setting of its configuration but the stores, as text that is equal when they are (CONF-07).
    case settings
}

/// Through which object a configuration is written to when its session has been made.
package enum ConfigurationObject: String, CaseIterable, Hashable, Sendable {
    /// The one that the session was made with (CONF-01).
    case original
    /// One that the session gives when it is asked (CONF-02).
    case readBack
}

/// A store of a session whose questions are told (STOR-01 to STOR-05).
package enum SpyStore: String, CaseIterable, Hashable, Sendable { case cookies, cache, credentials }
