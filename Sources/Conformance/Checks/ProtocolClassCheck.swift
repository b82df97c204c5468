import Record
import ScenarioLanguage
import AdapterProtocol

/// One of the client's protocol classes was used for a task and had access to that task (PROT-01, STOR-06).
struct ProtocolClassCheck: Check {
    static let key = "protocolClass"
    static let basis: Basis? = .urlsession
    static let summary = "One of the client's protocol classes loaded for this task."
    static let shape = Shape.object([
        .task,
        Field("class", .integer(1...100), "The k-th class of the session's list; default 1."),
        Field("url", .text, "The URL of the request that it received."),
        Field("count", NumberRange.shape, "The number of its loads: a number or a range such as 1..3; default 1."),
    ])

    private let task: TaskName
    private let number: Int
    private let url: String?
    private let count: NumberRange?

    init(_ fields: Fields) throws(ScenarioError) {
        task = try fields.task()
        number = fields.integer("class").map { Int(clamping: $0) } ?? 1
        url = fields.text("url")
        count = try NumberRange("count", of: fields)
    }

    func problem(in scenario: Scenario) -> String? {
        let known = scenario.configuration(of: task)?.protocolClasses.count ?? 0
        guard known < number else { return nil }
        return known == 0
            ? "the session of `\(task)` does not have protocol classes; write `protocolClasses:` there"
            : "the session of `\(task)` has \(known == 1 ? "one class" : "\(known) classes"), but this check names number \(number)"
    }

    var neededEvents: Set<String> { [TaskEventName.protocolLoad.rawValue] }

    func judge(_ record: RecordView) -> [Mismatch] {
        let loads = record.events(of: task).compactMap { occurrence -> (url: String, moment: RecordView.Moment)? in
            guard case .protocolLoad(number, let url) = occurrence.event else { return nil }
            return (url, occurrence.moment)
        }
        guard count?.contains(Int64(loads.count)) ?? (loads.count == 1) else {
            return mismatch(
                expected: "class \(number) loads for \(task) \(count.map { "\($0.description) times" } ?? "once")",
                found: counted(loads.count, "time"),
                evidence: loads.map(\.moment) + record.completions(of: task).map(\.moment))
        }
        guard let url, let other = loads.first(where: { $0.url != url }) else { return [] }
        return mismatch(
            expected: "class \(number) loads \(url) for \(task)", found: other.url, evidence: [other.moment])
    }
}
