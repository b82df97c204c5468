import Record
import ScenarioLanguage

/// An event that must not happen, in the whole run or in a part of it.
struct NeverCheck: Check {
    static let key = "never"
    static let summary = "This event does not happen; with `after` and `before` only between these events."
    static let shape = Shape.either([
        .text,
        .object([
            Field("event", .text, required: true, "TASK.EVENT that must not happen."),
            Field("after", .text, "Only after the first such event; if it never happens, the check passes."),
            Field(
                "before", .text, "Only before the first such event; if it never happens, until the end of the run."),
        ]),
    ])

    private let event: EventReference
    private let after: EventReference?
    private let before: EventReference?

    init(_ fields: Fields) throws(ScenarioError) {
        event = try fields.event(fields.has("value") ? "value" : "event")
        after = fields.has("after") ? try fields.event("after") : nil
        before = fields.has("before") ? try fields.event("before") : nil
    }

    var neededEvents: Set<String> { Set([event, after, before].compactMap { $0?.name }) }

    func judge(_ record: RecordView) -> [Mismatch] {
        var found = record.moments(of: event)
        var expected = "no \(event)"
        if let after {
            expected += " after \(after)"
            let begin = record.first(after)
            found.removeAll { moment in begin.map { moment <= $0 } ?? true }
        }
        if let before {
            expected += " before \(before)"
            if let end = record.first(before) { found.removeAll { $0 >= end } }
        }
        guard !found.isEmpty else { return [] }
        return mismatch(
            expected: expected, found: "\(event), \(counted(found.count, "time"))", evidence: Array(found.prefix(5)))
    }
}
