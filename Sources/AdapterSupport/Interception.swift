package import AdapterProtocol

/// Changes what a session is asked to do or what it reports: a wrong session around a right one, as a test of the suite.
package struct Interception: Sendable {
    /// Returns the commands that are carried out instead of one of the harness.
    package var command: (@Sendable (AdapterCommand) -> [AdapterCommand])?
    /// Returns the events that are reported instead of one of the session. Called for one event after the other.
    package var event: (@Sendable (SessionEvent.Kind) -> [SessionEvent.Kind])?

    package init(
        command: (@Sendable (AdapterCommand) -> [AdapterCommand])? = nil,
        event: (@Sendable (SessionEvent.Kind) -> [SessionEvent.Kind])? = nil
    ) {
        self.command = command
        self.event = event
    }

    /// Changes the descriptions of tasks.
    package static func tasks(_ change: @escaping @Sendable (inout TaskDescription) -> Void) -> Interception {
        Interception(command: { command in
            guard case .makeTask(var task) = command else { return [command] }
            change(&task)
            return [.makeTask(task)]
        })
    }

    /// Changes the configurations of sessions.
    package static func sessions(_ change: @escaping @Sendable (inout SessionConfiguration) -> Void) -> Interception {
        Interception(command: { command in
            guard case .makeSession(let name, var configuration) = command else { return [command] }
            change(&configuration)
            return [.makeSession(name, configuration)]
        })
    }

    /// Changes the events of tasks.
    package static func events(_ change: @escaping @Sendable (TaskName, TaskEvent) -> [TaskEvent]) -> Interception {
        Interception(event: { kind in
            guard case .task(let task, let event) = kind else { return [kind] }
            return change(task, event).map { .task(task, $0) }
        })
    }
}
