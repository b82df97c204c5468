import Record
import ScenarioLanguage
import AdapterProtocol

/// The time between two events on the run's clock (TIME-01 and later).
struct TimingCheck: Check {
    static let key = "timing"
    static let summary = "The time between the first occurrences of two events."
    static let shape = Shape.object([
        Field("from", .text, required: true, "TASK.EVENT, or `start`: the first step."),
        Field("to", .text, required: true, "TASK.EVENT."),
        Field("atLeast", .duration, "The shortest acceptable time."),
        Field(
            "atMost", .either([.duration, RoundTripBound.shape]),
            "The longest acceptable time: a duration, or round trips of the link."),
    ])

    /// The start of the interval; nil: the first step.
    private let from: EventReference?
    private let to: EventReference
    private let atLeast: Duration?
    private let atMost: Bound?

    private enum Bound {
        case duration(Duration)
        case link(RoundTripBound)

        func duration(in scenario: Scenario) -> Duration {
            switch self {
            case .duration(let duration): duration
            case .link(let time): time.duration(in: scenario)
            }
        }
    }

    init(_ fields: Fields) throws(ScenarioError) {
        from = fields.text("from") == "start" ? nil : try fields.event("from")
        to = try fields.event("to")
        atLeast = fields.duration("atLeast")
        let most = fields.duration("atMost")
        atMost = fields.fields("atMost").map { .link(RoundTripBound($0)) } ?? most.map { .duration($0) }
        try fields.requireOne(of: ["atLeast", "atMost"])
        if let atLeast, let most, atLeast > most {
            throw fields.error("atLeast", "`atLeast` is more than `atMost`")
        }
    }

    var neededEvents: Set<String> { Set([from, to].compactMap { $0?.name }) }

    var needs: Set<Capability> {
        [from, to].contains { if case .task(_, .didReceiveData) = $0 { true } else { false } } ? [.incrementalData] : []
    }

    func judge(_ record: RecordView) -> [Mismatch] {
        let atMost = atMost?.duration(in: record.scenario)
        let name = from?.description ?? "start"
        let limits = [
            atLeast.map { "at least \(durationText($0.nanoseconds))" },
            atMost.map { "at most \(durationText($0.nanoseconds))" },
        ]
        let expected = "from \(name) to \(to) " + limits.compactMap(\.self).joined(separator: " and ")
        guard let begin = from.map(record.first) ?? record.start else {
            return mismatch(expected: expected, found: "no \(name)")
        }
        guard let end = record.first(to) else {
            return mismatch(expected: expected, found: "no \(to)", evidence: [begin])
        }
        let taken = end.time.minus(begin.time)
        if taken >= 0, taken >= atLeast?.nanoseconds ?? 0, taken <= atMost?.nanoseconds ?? .max { return [] }
        return mismatch(
            expected: expected,
            found: taken < 0 ? "\(durationText(Int64(0).minus(taken))) before it" : durationText(taken),
            evidence: [begin, end], dependsOnTime: true)
    }
}
