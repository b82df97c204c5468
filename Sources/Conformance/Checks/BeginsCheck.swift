import Record
import ScenarioLanguage
import AdapterProtocol

/// The time at which a task's first request reaches the origin, on the clock of background transfers (SCHD-01, SCHD-02).
struct BeginsCheck: Check {
    static let key = "begins"
    static let summary =
        "The time from the creation of a task to its first request, on the scenario's `clock` (which may run faster)."
    static let shape = Shape.object([
        .task,
        Field("atLeast", .duration, "The shortest acceptable time."),
        Field("atMost", .duration, "The longest acceptable time."),
    ])

    private let task: TaskName
    private let atLeast: Duration?
    private let atMost: Duration?

    init(_ fields: Fields) throws(ScenarioError) {
        task = TaskName(try fields.need("task"))
        atLeast = fields.duration("atLeast")
        atMost = fields.duration("atMost")
        try fields.requireOne(of: ["atLeast", "atMost"])
    }

    /// The time counts from the harness's command to an adapter; a program gets no commands.
    var neededEvents: Set<String> { Self.eventsOfEveryAdapter }

    func judge(_ record: RecordView) -> [Mismatch] {
        let limits = [
            atLeast.map { "at least \(durationText($0.nanoseconds))" },
            atMost.map { "at most \(durationText($0.nanoseconds))" },
        ]
        let bounds = limits.compactMap(\.self).joined(separator: " and ")
        let expected = "the first request of \(task) \(bounds) after its creation"
        guard let made = record.description(of: task).flatMap({ record.moments(of: .makeTask($0)).first }) else {
            return mismatch(expected: expected, found: "\(task) was not created")
        }
        guard let request = record.requests(of: task)?.first else {
            return mismatch(expected: expected, found: "no request that is certainly the task's", evidence: [made])
        }
        let scale = Int64(record.scenario.clock?.scale ?? 1)
        let taken = request.moment.time.minus(made.time).multipliedReportingOverflow(by: scale).partialValue
        if taken >= atLeast?.nanoseconds ?? .min, taken <= atMost?.nanoseconds ?? .max { return [] }
        // A slow machine cannot make a request early.
        return mismatch(
            expected: expected, found: "\(durationText(taken)) after it", evidence: [made, request.moment],
            dependsOnTime: taken >= atLeast?.nanoseconds ?? .min)
    }
}
