package import AdapterProtocol

/// One kind of callback by its name in scenarios: `first.didComplete`, or `main.didBecomeInvalid` for a session.
package enum EventReference: Hashable, Sendable, CustomStringConvertible {
    case task(TaskName, TaskEventName)
    case session(SessionName, SessionEventName)

    /// The task of the event; nil for a session's event.
    package var task: TaskName? { if case .task(let task, _) = self { task } else { nil } }
    package var event: TaskEventName? { if case .task(_, let event) = self { event } else { nil } }
    package var session: SessionName? { if case .session(let session, _) = self { session } else { nil } }

    package var description: String {
        switch self {
        case .task(let task, _): "\(task).\(name)"
        case .session(let session, _): "\(session).\(name)"
        }
    }

    /// The name of the event without its task or session.
    package var name: String {
        switch self {
        case .task(_, let event): event.rawValue
        case .session(_, let event): event.rawValue
        }
    }

    package func matches(_ kind: SessionEvent.Kind) -> Bool {
        switch self {
        case .task(let task, let event):
            if case .task(let seen, let happened) = kind { task == seen && event == happened.name } else { false }
        case .session(let session, let event):
            kind.sessionEvent.map { $0.session == session && $0.name == event } ?? false
        }
    }

    package static func parse(_ text: String, at place: Place) throws(ScenarioError) -> EventReference {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
            throw ScenarioError(at: place, "`\(text)` is not an event; write TASK.EVENT, such as `first.didComplete`")
        }
        if let event = SessionEventName(rawValue: parts[1]) { return .session(SessionName(parts[0]), event) }
        guard let event = TaskEventName(rawValue: parts[1]) else {
            let known = TaskEventName.allCases.map(\.rawValue) + SessionEventName.allCases.map(\.rawValue)
            if let new = RenamedWords.replacement(for: parts[1], among: known) {
                throw ScenarioError(at: place, "the event `\(parts[1])` was renamed to `\(new)`")
            }
            throw ScenarioError(
                at: place, "the event `\(parts[1])` does not exist\(Spelling.hint(for: parts[1], among: known))")
        }
        return .task(TaskName(parts[0]), event)
    }
}
