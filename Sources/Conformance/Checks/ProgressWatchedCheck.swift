import Record
import ScenarioLanguage
import AdapterProtocol

/// The values of a task's progress object over its lifetime (PROG-02, PROG-06): the readings of `watchProgress` and
/// those of steps.
struct ProgressWatchedCheck: Check {
    static let key = "progressWatched"
    static let basis: Basis? = .urlsession
    static let summary =
        "Every reading of the task's progress is between 0 and 1 and never below the previous one; together they match this."
    static let shape = Shape.object([
        .task,
        Field(
            "values", NumberRange.shape, required: true,
            "The number of different fractions: a number, or a range such as 3..1000."),
        Field(
            "last", NumberRange.shape,
            "The last fraction in percent, rounded down: a number, or a range such as 1..99."),
    ])

    private let task: TaskName
    private let values: NumberRange?
    private let last: NumberRange?

    init(_ fields: Fields) throws(ScenarioError) {
        task = try fields.task()
        values = try NumberRange("values", of: fields)
        last = try NumberRange("last", of: fields)
    }

    var neededEvents: Set<String> { [TaskEventName.progressRead.rawValue] }
    var needs: Set<Capability> { [.progress] }

    func judge(_ record: RecordView) -> [Mismatch] {
        let found = record.progressReadings(of: task)
        guard let end = found.last else { return mismatch(expected: "readings of \(task)'s progress", found: "none") }
        if let beyond = found.first(where: { !(0...1).contains($0.reading.fraction) }) {
            return mismatch(
                expected: "a fraction from 0 to 1", found: "\(beyond.reading.fraction)", evidence: [beyond.moment])
        }
        for (earlier, later) in zip(found, found.dropFirst()) where later.reading.fraction < earlier.reading.fraction {
            return mismatch(
                expected: "a fraction of at least \(earlier.reading.fraction)", found: "\(later.reading.fraction)",
                evidence: [earlier.moment, later.moment])
        }
        let different = Set(found.map(\.reading.fraction)).count
        if let values, !values.contains(Int64(different)) {
            return mismatch(
                expected: "\(values.description) different fractions", found: "\(different)",
                evidence: found.suffix(5).map(\.moment))
        }
        if let last, !last.containsHundredths(of: end.reading.fraction) {
            return mismatch(
                expected: "at last \(last.description) %", found: "a fraction of \(end.reading.fraction)",
                evidence: [end.moment])
        }
        return []
    }
}
