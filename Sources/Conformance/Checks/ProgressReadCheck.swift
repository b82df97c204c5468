import Record
import ScenarioLanguage
import AdapterProtocol

/// The values of a task's progress object at one reading (PROG-01, PROG-03 to PROG-05, PROG-07 to PROG-09).
struct ProgressReadCheck: Check {
    static let key = "progressRead"
    static let basis: Basis? = .urlsession
    static let summary = "The values of the task's progress object at its k-th reading."
    static let shape = Shape.object([
        .task, .number("reading"),
        Field(
            "percent", NumberRange.shape,
            "Its fraction in percent, rounded down: a number, or a range such as 1..99."),
        Field(
            "joint", NumberRange.shape, "The fraction of the parent that the task's `jointProgress` names, likewise."),
        Field("cancelled", .boolean, "True: the progress is cancelled."),
        Field("paused", .boolean, "True: the progress is paused."),
        Field("described", .boolean, "`true`: its description and additional description are not empty."),
    ])

    private let task: TaskName
    private let number: Int
    private let percent: NumberRange?
    private let joint: NumberRange?
    private let isCancelled: Bool?
    private let isPaused: Bool?
    private let isDescribed: Bool

    init(_ fields: Fields) throws(ScenarioError) {
        task = try fields.task()
        number = fields.number()
        percent = try NumberRange("percent", of: fields)
        joint = try NumberRange("joint", of: fields)
        isCancelled = fields.boolean("cancelled")
        isPaused = fields.boolean("paused")
        isDescribed = fields.boolean("described") ?? false
        if fields.boolean("described") == false {
            throw fields.error("described", "`described: false` checks nothing; leave it out")
        }
        try fields.requireOne(of: ["percent", "joint", "cancelled", "paused", "described"])
    }

    var neededEvents: Set<String> { [TaskEventName.progressRead.rawValue] }
    var needs: Set<Capability> { [.progress] }

    func judge(_ record: RecordView) -> [Mismatch] {
        let found = record.progressReadings(of: task)
        guard number <= found.count else {
            return mismatch(
                expected: "reading \(number) of \(task)'s progress", found: counted(found.count, "reading"),
                evidence: found.map(\.moment))
        }
        let (reading, moment) = found[number - 1]
        var differences: [(expected: String, found: String)] = []
        if let percent, !percent.containsHundredths(of: reading.fraction) {
            differences.append(("\(percent.description) %", "a fraction of \(reading.fraction)"))
        }
        if let joint {
            if let fraction = reading.joint {
                if !joint.containsHundredths(of: fraction) {
                    differences.append(("jointly \(joint.description) %", "a joint fraction of \(fraction)"))
                }
            } else {
                differences.append(("jointly \(joint.description) %", "no parent"))
            }
        }
        if let isCancelled, reading.isCancelled != isCancelled {
            differences.append(
                (isCancelled ? "cancelled" : "not cancelled", reading.isCancelled ? "cancelled" : "not cancelled"))
        }
        if let isPaused, reading.isPaused != isPaused {
            differences.append((isPaused ? "paused" : "not paused", reading.isPaused ? "paused" : "not paused"))
        }
        if isDescribed {
            let missing = [
                ("description", reading.description), ("additional description", reading.additionalDescription),
            ]
            .filter { $0.1?.isEmpty ?? true }.map(\.0)
            if !missing.isEmpty {
                differences.append(("two descriptions", "no \(missing.joined(separator: " and no "))"))
            }
        }
        guard !differences.isEmpty else { return [] }
        return mismatch(
            expected: "reading \(number) of \(task)'s progress: " + differences.map(\.expected).joined(separator: ", "),
            found: differences.map(\.found).joined(separator: ", "), evidence: [moment])
    }
}

extension NumberRange {
    /// Returns true if the range contains the fraction in hundredths; a fraction outside 0 to 1 is in no range
    /// (PROG-02).
    func containsHundredths(of fraction: Double) -> Bool {
        (0...1).contains(fraction) && contains(Int64(fraction * 100))
    }
}

extension RecordView {
    func progressReadings(of task: TaskName) -> [(reading: ProgressReading, moment: Moment)] {
        events(of: task).compactMap { occurrence in
            if case .progressRead(let reading) = occurrence.event { (reading, occurrence.moment) } else { nil }
        }
    }
}
