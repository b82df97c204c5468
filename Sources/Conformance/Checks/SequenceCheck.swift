import Record
import ScenarioLanguage
import AdapterProtocol

/// The messages of one task are exactly these, in this order. Repeats of progress and data count once. Messages whose
/// presence or position is not documented (upload progress, metrics, cache decision, creation) and events that the
/// adapter adds are ignored unless the list names them.
struct SequenceCheck: Check {
    static let key = "sequence"
    static let basis: Basis? = .urlsession
    static let summary =
        "The task's events are exactly these, in this order; repeated data and progress events count as one."
    static let shape = Shape.object([
        .task,
        Field(
            "events", .list(.word(TaskEventName.allCases.map(\.rawValue))), required: true,
            "The events without the task's name, such as didReceiveResponse."),
    ])

    private let task: TaskName
    private let events: [TaskEventName]

    init(_ fields: Fields) throws(ScenarioError) {
        task = try fields.task()
        events = fields.texts("events").compactMap(TaskEventName.init(rawValue:))
    }

    var neededEvents: Set<String> { Set(events.map(\.rawValue)) }
    var needs: Set<Capability> { events.reduce(into: []) { $0.formUnion($1.needs) } }

    private static let repeated: Set<TaskEventName> = [.didReceiveData, .didWriteData, .didSendBodyData]
    private static let optional: Set<TaskEventName> = [
        .didCreateTask, .fileContent, .didSendBodyData, .willCacheResponse, .didFinishCollectingMetrics, .inspected,
        .resumeDataProduced,
        .cacheInspected,
    ]

    func judge(_ record: RecordView) -> [Mismatch] {
        var found: [RecordView.TaskOccurrence] = []
        for occurrence in record.events(of: task) {
            let name = occurrence.event.name
            if Self.optional.contains(name), !events.contains(name) { continue }
            if Self.repeated.contains(name), found.last?.event.name == name { continue }
            found.append(occurrence)
        }
        let names = found.map(\.event.name)
        guard names != events else { return [] }
        let place = zip(names, events).prefix { $0 == $1 }.count
        let evidence = found.indices.contains(place) ? [found[place].moment] : found.last.map { [$0.moment] } ?? []
        return mismatch(
            expected: "\(task): " + events.map(\.rawValue).joined(separator: ", "),
            found: names.isEmpty ? "no event of \(task)" : "\(task): " + names.map(\.rawValue).joined(separator: ", "),
            evidence: evidence)
    }
}
