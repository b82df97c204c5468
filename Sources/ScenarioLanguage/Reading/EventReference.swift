package import AdapterProtocol

/// One kind of callback by its name in scenarios: `first.didComplete`, or `main.didBecomeInvalid` for a session.
package enum EventReference: Hashable, Sendable, CustomStringConvertible {
    case task(TaskName, TaskEventName)
    case invalidated(SessionName)
    case delegateReleased(SessionName)
    case finishedEvents(SessionName)
    case tasksListed(SessionName)

    /// The names of the events of sessions.
    package static let ofSessions = ["didBecomeInvalid", "delegateReleased", "didFinishEvents", "tasksListed"]

    /// The task of the event; nil for a session's event.
    package var task: TaskName? { if case .task(let task, _) = self { task } else { nil } }
    package var event: TaskEventName? { if case .task(_, let event) = self { event } else { nil } }
    package var session: SessionName? {
        switch self {
        case .task: nil
        case .invalidated(let session), .delegateReleased(let session), .finishedEvents(let session),
            .tasksListed(let session):
            session
        }
    }

    package var description: String {
        switch self {
        case .task(let task, let event): "\(task).\(event.rawValue)"
        case .invalidated(let session): "\(session).didBecomeInvalid"
        case .delegateReleased(let session): "\(session).delegateReleased"
        case .finishedEvents(let session): "\(session).didFinishEvents"
        case .tasksListed(let session): "\(session).tasksListed"
        }
    }

    /// The name of the event without its task or session.
    package var name: String {
        switch self {
        case .task(_, let event): event.rawValue
        case .invalidated: "didBecomeInvalid"
        case .delegateReleased: "delegateReleased"
        case .finishedEvents: "didFinishEvents"
        case .tasksListed: "tasksListed"
        }
    }

    package func matches(_ kind: SessionEvent.Kind) -> Bool {
        switch (self, kind) {
        case (.task(let task, let event), .task(let seen, let happened)): task == seen && event == happened.name
        case (.invalidated(let session), .didBecomeInvalid(let seen, _)): session == seen
        case (.delegateReleased(let session), .delegateReleased(let seen)): session == seen
        case (.finishedEvents(let session), .didFinishEvents(let seen)): session == seen
        case (.tasksListed(let session), .tasksListed(let seen, _)): session == seen
        case (.task, _), (.invalidated, _), (.delegateReleased, _), (.finishedEvents, _), (.tasksListed, _): false
        }
    }

    package static func parse(_ text: String, at place: Place) throws(ScenarioError) -> EventReference {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
            throw ScenarioError(at: place, "`\(text)` is not an event; write TASK.EVENT, such as `first.didComplete`")
        }
        if parts[1] == "didBecomeInvalid" { return .invalidated(SessionName(parts[0])) }
        if parts[1] == "delegateReleased" { return .delegateReleased(SessionName(parts[0])) }
        if parts[1] == "didFinishEvents" { return .finishedEvents(SessionName(parts[0])) }
        if parts[1] == "tasksListed" { return .tasksListed(SessionName(parts[0])) }
        guard let event = TaskEventName(rawValue: parts[1]) else {
            let known = TaskEventName.allCases.map(\.rawValue) + ofSessions
            if let new = RenamedWords.replacement(for: parts[1], among: known) {
                throw ScenarioError(at: place, "the event `\(parts[1])` was renamed to `\(new)`")
            }
            throw ScenarioError(
                at: place, "the event `\(parts[1])` does not exist\(Spelling.hint(for: parts[1], among: known))")
        }
        return .task(TaskName(parts[0]), event)
    }
}
