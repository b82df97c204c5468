import Record
import ScenarioLanguage
import AdapterProtocol

/// A background session delivers each event to one process only, the missed ones before `didFinishEvents` (BKGD-05,
/// BKGD-25).
struct DeliveredOnceCheck: Check {
    static let key = "deliveredOnce"
    static let basis: Basis? = .urlsession
    static let summary =
        "Over all processes of the app, each task of the session completes once, and missed events come before `didFinishEvents`."
    static let shape = Shape.object([
        Field("session", .text, required: true, "The background session."),
        Field(
            "inOrder", .boolean, "True: the tasks complete in the order in which the origin finished their responses."),
    ])

    private let session: SessionName
    private let inOrder: Bool

    init(_ fields: Fields) throws(ScenarioError) {
        session = SessionName(try fields.need("session"))
        inOrder = fields.boolean("inOrder") ?? false
    }

    var neededEvents: Set<String> { [TaskEventName.didComplete.rawValue] }
    var needs: Set<Capability> { [.backgroundSession] }

    func problem(in scenario: Scenario) -> String? {
        let names = scenario.sessions.map(\.name.text)
        return names.contains(session.text)
            ? nil
            : "the scenario does not create a session `\(session.text.shortened)`\(Spelling.hint(for: session.text, among: names))"
    }

    func judge(_ record: RecordView) -> [Mismatch] {
        let tasks = record.startedTasks.filter { record.description(of: $0)?.session == session }
        return tasks.flatMap { repeated($0, record) } + finishes(tasks, record) + (inOrder ? order(tasks, record) : [])
    }

    private func repeated(_ task: TaskName, _ record: RecordView) -> [Mismatch] {
        [TaskEventName.didComplete, .didFinishDownloading].flatMap { name -> [Mismatch] in
            let found = record.occurrences(of: task, name).map(\.moment)
            guard found.count != 1, name == .didComplete || found.count > 1 else { return [] }
            return mismatch(
                expected: "one \(task).\(name.rawValue)", found: "\(found.count)", evidence: Array(found.prefix(5)))
        }
    }

    /// A process announces at most once that it has all events, and only after those of tasks that ended before it was
    /// launched.
    private func finishes(_ tasks: [TaskName], _ record: RecordView) -> [Mismatch] {
        let finishes = record.finishes(of: session)
        var found: [Mismatch] = []
        for generation in Set(finishes.map(\.generation)).sorted() {
            let moments = finishes.filter { $0.generation == generation }.map(\.moment)
            let completions = record.sessionEvents.filter { event, _ in
                guard event.generation == generation, case .task(let task, .didComplete) = event.kind else {
                    return false
                }
                return tasks.contains(task)
            }
            guard let finish = moments.first, generation > 1 else { continue }
            if completions.isEmpty || !completions.contains(where: { $0.moment < finish }) {
                found += mismatch(
                    expected: "\(session).didFinishEvents of process \(generation) after the missed events",
                    found: "it came before any completion", evidence: [finish] + completions.prefix(1).map(\.moment))
            }
        }
        return found
    }

    private func order(_ tasks: [TaskName], _ record: RecordView) -> [Mismatch] {
        let ends = tasks.compactMap {
            task -> (task: TaskName, served: RecordView.Moment, reported: RecordView.Moment)? in
            guard let request = record.requests(of: task)?.last,
                let reported = record.completions(of: task).first?.moment,
                let served = record.serverFacts.last(where: { fact, _ in
                    // The kernel takes a response long before a slow client has it.
                    switch fact {
                    case .responseEnded(request.number, _), .acknowledged(_, request.number, _): true
                    default: false
                    }
                })?.moment
            else { return nil }
            return (task, served, reported)
        }.sorted { $0.served < $1.served }
        for (first, second) in zip(ends, ends.dropFirst()) where second.reported < first.reported {
            return mismatch(
                expected: "\(first.task) completes before \(second.task), whose response ended later",
                found: "the opposite order", evidence: [first.reported, second.reported])
        }
        return []
    }
}
