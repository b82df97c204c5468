import Record
import ScenarioLanguage
import AdapterProtocol

/// The time between two events on the run's clock (TIME-01 and later).
struct TimingCheck: Check {
    static let key = "timing"
    static let summary = "The time between the first occurrences of two events."
    static let dependsOnTime = ["atLeast", "atMost"]
    static let shape = Shape.object([
        Field("from", .text, required: true, "TASK.EVENT, or `start`: the first step."),
        Field("to", .text, required: true, "TASK.EVENT."),
        Field("atLeast", .duration, "The shortest acceptable time."),
        Field("atMost", .duration, "The longest acceptable time."),
    ])

    /// The start of the interval; nil: the first step.
    private let from: EventReference?
    private let to: EventReference
    private let atLeast: Duration?
    private let atMost: Duration?

    init(_ fields: Fields) throws(ScenarioError) {
        from = fields.text("from") == "start" ? nil : try fields.event("from")
        to = try fields.event("to")
        atLeast = fields.duration("atLeast")
        atMost = fields.duration("atMost")
        try fields.requireOne(of: ["atLeast", "atMost"])
        if let atLeast, let atMost, atLeast > atMost {
            throw fields.error("atLeast", "`atLeast` is more than `atMost`")
        }
    }

    func judge(_ record: RecordView) -> [Mismatch] {
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
