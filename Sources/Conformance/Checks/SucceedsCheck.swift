import Record
import ScenarioLanguage
import AdapterProtocol

/// The success of several tasks: the short form of `completes: { error: none }` for each, with a look at the status.
struct SucceedsCheck: Check {
    static let key = "succeeds"
    static let summary =
        "`all`, or these tasks: each completes without an error, and its last response has a status below 400."
    static let shape = Shape.oneOrMore(.text)

    private static let all = "all"
    /// The named tasks; nil: all.
    private let names: [TaskName]?

    init(_ fields: Fields) throws(ScenarioError) {
        let texts = fields.texts("value")
        if texts.contains(Self.all), texts.count > 1 {
            throw fields.error("value", "`all` cannot be combined with names of tasks")
        }
        names = texts == [Self.all] ? nil : texts.map { TaskName($0) }
    }

    func problem(in scenario: Scenario) -> String? {
        let known = Self.tasks(of: scenario).map(\.text)
        guard let name = names?.first(where: { !known.contains($0.text) }) else { return nil }
        return
            "the scenario does not create a task `\(name.text.shortened)`\(Spelling.hint(for: name.text, among: [Self.all] + known))"
    }

    /// Every client reports it; a program without an adapter does not. The status of a client that reports no response
    /// is taken from the wire.
    var neededEvents: Set<String> { [TaskEventName.didComplete.rawValue] }

    func judge(_ record: RecordView) -> [Mismatch] {
        (names ?? Self.tasks(of: record.scenario)).flatMap { problems(of: $0, record) }
    }

    private func problems(of task: TaskName, _ record: RecordView) -> [Mismatch] {
        let expected = "\(task) ends without an error"
        guard let completion = record.completions(of: task).first else {
            // A stream task that became a pair of streams does not complete.
            if !record.captures(of: task).isEmpty { return [] }
            return mismatch(
                expected: expected, found: "no completion of \(task)",
                evidence: record.events(of: task).last.map { [$0.moment] } ?? [])
        }
        if let failure = completion.failure {
            return mismatch(
                expected: expected, found: ErrorExpectation.description(failure), evidence: [completion.moment],
                dependsOnTime: failure.named == .timedOut)
        }
        guard let (status, moment) = lastStatus(of: task, record), status >= 400 else { return [] }
        return mismatch(expected: "\(task) gets a status below 400", found: "status \(status)", evidence: [moment])
    }

    private func lastStatus(of task: TaskName, _ record: RecordView) -> (status: Int, moment: RecordView.Moment)? {
        if let last = record.responses(of: task).last { return (last.response.status, last.moment) }
        guard !record.canReport(.didReceiveResponse),
            let request = record.requests(of: task)?.last(where: { $0.status != nil })
        else { return nil }
        return request.status.map { ($0, request.moment) }
    }

    private static func tasks(of scenario: Scenario) -> [TaskName] {
        scenario.script.compactMap { step in
            if case .task(let description, body: _, starts: _) = step { description.task } else { nil }
        }
    }
}
