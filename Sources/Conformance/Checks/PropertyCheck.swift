import Record
import ScenarioLanguage
import AdapterProtocol

/// A property of a task or a session, read by a step (CONF-07, TASK-04, TASK-12, TASK-13, TASK-15, CONV-09).
struct PropertyCheck: Check {
    static let key = "property"
    static let basis: Basis? = .urlsession
    static let summary = "The value of a property of a task or a session that a step read."
    static let shape = Shape.object([
        Field("task", .text, "The task; either this or `session`."),
        Field("session", .text, "The session."),
        Field(
            "name", .word(TaskProperty.allCases.map(\.rawValue) + SessionProperty.allCases.map(\.rawValue)),
            required: true,
            "The property, as the step `read` names it."),
        Field(
            "number", .integer(1...1_000_000), "The number of the reading of this property, counted from 1; default 1."),
        Field("is", .either([.integer(Int64.min...Int64.max), .text]), "The value."),
        Field("present", .boolean, "True: the property has a value."),
        Field("sameAs", .text, "The first reading of this other task or session is equal."),
        Field("otherThan", .text, "The first reading of this other task or session is different."),
    ])

    private enum Subject {
        case task(TaskName, TaskProperty)
        case session(SessionName, SessionProperty)

        var description: String {
            switch self {
            case .task(let task, let property): "\(property.rawValue) of \(task)"
            case .session(let session, let property): "\(property.rawValue) of \(session)"
            }
        }

        /// Returns another task or session with the same property.
        func named(_ name: String) -> Subject {
            switch self {
            case .task(_, let property): .task(TaskName(name), property)
            case .session(_, let property): .session(SessionName(name), property)
            }
        }

        var event: String {
            switch self {
            case .task: TaskEventName.propertyRead.rawValue
            case .session: "sessionPropertyRead"
            }
        }
    }

    private let subject: Subject
    private let number: Int
    private let value: String?
    private let isPresent: Bool?
    private let same: String?
    private let other: String?

    init(_ fields: Fields) throws(ScenarioError) {
        let word = try fields.need("name")
        if let property = TaskProperty(rawValue: word) {
            if fields.has("session") {
                throw fields.error("session", "`\(word)` is a property of tasks; name a `task`")
            }
            subject = .task(try fields.task(), property)
        } else if let property = SessionProperty(rawValue: word) {
            if fields.has("task") {
                throw fields.error("task", "`\(word)` is a property of sessions; name a `session`")
            }
            subject = .session(SessionName(try fields.need("session")), property)
        } else {
            throw fields.error("name", "the property `\(word)` does not exist")
        }
        number = fields.number()
        value = fields.integer("is").map { String($0) } ?? fields.text("is")
        isPresent = fields.boolean("present")
        same = fields.text("sameAs")
        other = fields.text("otherThan")
        try fields.requireOne(of: ["is", "present", "sameAs", "otherThan"])
    }

    var neededEvents: Set<String> { [subject.event] }
    var needs: Set<Capability> {
        switch subject {
        case .task: [.taskProperties]
        case .session: [.sessionProperties]
        }
    }

    func problem(in scenario: Scenario) -> String? {
        for asked in [subject] + [same, other].compactMap(\.self).map({ subject.named($0) })
        where !isRead(asked, in: scenario) {
            return "no step reads the \(asked.description); add a step `read`"
        }
        return nil
    }

    private func isRead(_ subject: Subject, in scenario: Scenario) -> Bool {
        scenario.script.contains { step in
            switch subject {
            case .task(let task, let property): step == .command(.readProperty(task, property))
            case .session(let session, let property): step == .command(.readSessionProperty(session, property))
            }
        }
    }

    private func readings(about subject: Subject, _ record: RecordView) -> [(value: String?, moment: RecordView.Moment)]
    {
        switch subject {
        case .task(let task, let wanted):
            record.events(of: task).compactMap { occurrence in
                guard case .propertyRead(let property, let value) = occurrence.event, property == wanted else {
                    return nil
                }
                return (value, occurrence.moment)
            }
        case .session(let session, let wanted):
            record.responses(of: session).filter { $0.property == wanted }.map { ($0.value, $0.moment) }
        }
    }

    func judge(_ record: RecordView) -> [Mismatch] {
        let found = readings(about: subject, record)
        guard number <= found.count else {
            return mismatch(
                expected: "reading \(number) of the \(subject.description)", found: counted(found.count, "answer"),
                evidence: found.map(\.moment))
        }
        let reading = found[number - 1]
        let reported = reading.value ?? "nothing"
        if let isPresent, isPresent != (reading.value != nil) {
            return mismatch(
                expected: "\(isPresent ? "some" : "no") \(subject.description)", found: reported,
                evidence: [reading.moment])
        }
        if let value, value != reading.value {
            return mismatch(expected: "\(subject.description): \(value)", found: reported, evidence: [reading.moment])
        }
        for (name, wantsSame) in [(same, true), (other, false)] {
            guard let name, let second = readings(about: subject.named(name), record).first else { continue }
            if (second.value == reading.value) != wantsSame {
                return mismatch(
                    expected: "the \(subject.description) is \(wantsSame ? "that" : "another than that") of \(name)",
                    found: wantsSame ? "\(reported), and \(second.value ?? "nothing")" : "both are \(reported)",
                    evidence: [reading.moment, second.moment])
            }
        }
        return []
    }
}
