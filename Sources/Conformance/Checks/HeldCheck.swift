import Record
import ScenarioLanguage
import AdapterProtocol

/// A session that waits for a decision makes no further progress with the task (REDR-06, AUTH-10): it sends no messages
/// about it, and the origin gets no request from it.
struct HeldCheck: Check {
    static let key = "held"
    static let basis: Basis? = .urlsession
    static let summary = "Between the callback and the step `release` the task reports nothing and requests nothing."
    static let shape = Shape.object([
        .task,
        Field(
            "at", .word(TaskPolicies.Decision.allCases.map(\.rawValue)), required: true,
            "The decision that is named in the task's `hold`."),
    ])

    private let task: TaskName
    private let decision: TaskPolicies.Decision

    init(_ fields: Fields) throws(ScenarioError) {
        task = try fields.task()
        decision = fields.text("at").flatMap(TaskPolicies.Decision.init(rawValue:)) ?? .redirect
    }

    var neededEvents: Set<String> { [decision.event.rawValue] }
    var needs: Set<Capability> { [.heldDecisions] }

    func problem(in scenario: Scenario) -> String? {
        let isHeld = scenario.script.contains { step in
            guard case .task(let description, body: _, starts: _) = step else { return false }
            return description.task == task && description.policies.held.contains(decision)
        }
        return isHeld
            ? nil
            : "`\(task)` does not hold its \(decision.rawValue); write `hold: \(decision.rawValue)` where it is made"
    }

    func judge(_ record: RecordView) -> [Mismatch] {
        let asked = record.occurrences(of: task, decision.event)
        guard let first = asked.first else {
            return mismatch(
                expected: "\(task).\(decision.event.rawValue)", found: "none",
                evidence: record.completions(of: task).map(\.moment))
        }
        guard let released = record.moments(of: .release(task)).first(where: { $0 > first.moment }) else {
            return mismatch(expected: "a release of \(task)", found: "no step released it", evidence: [first.moment])
        }
        var early = record.events(of: task).filter {
            $0.moment > first.moment && $0.moment < released && !HeldCheck.isReplyToScript.contains($0.event.name)
        }.map(\.moment)
        let requests = (record.requests(of: task) ?? []).map(\.moment).filter { $0 > first.moment && $0 < released }
        early += requests
        guard !early.isEmpty else { return [] }
        return mismatch(
            expected: "\(task) waits for the decision about \(decision.event.rawValue)",
            found: requests.isEmpty ? "it reported more before the decision" : "it made a request before the decision",
            evidence: [first.moment] + early.prefix(5) + [released])
    }

    private static let isReplyToScript: Set<TaskEventName> = [
        .inspected, .retained, .retainedContent, .cacheInspected, .callbackEnded, .progressRead, .propertyRead,
    ]
}

extension TaskPolicies.Decision {
    /// The callback that requests the decision.
    var event: TaskEventName {
        switch self {
        case .challenge: .didReceiveChallenge
        case .redirect: .willPerformRedirect
        case .response: .didReceiveResponse
        case .store: .storeAccess
        }
    }
}
