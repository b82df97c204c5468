import Record
import ScenarioLanguage
import AdapterProtocol

/// A list of a session's outstanding tasks (BKGD-06, BKGD-07, SCHD-11). A task keeps its number in all of them.
struct ListedCheck: Check {
    static let key = "listed"
    static let basis: Basis? = .urlsession
    static let summary = "The outstanding tasks of a session that a step `listTasks` listed."
    private static let kinds: [(field: String, kind: TaskDescription.Kind)] = [
        ("data", .data), ("uploads", .upload), ("downloads", .download),
    ]
    private static let estimates = ["expectsToSend", "expectsToReceive"]
    static let shape = Shape.object(
        [
            Field("session", .text, "The session; default main."), .number("list"),
            Field("count", .integer(0...1_000_000), "The number of tasks in the list."),
        ]
            + kinds.map {
                Field(
                    $0.field, .oneOrMore(.text),
                    "The names of the tasks listed as \($0.field == "data" ? "data tasks" : $0.field); without it no such task is listed if another kind is given."
                )
            } + [
                Field("task", .text, "The task whose place in the list the following fields describe."),
                Field("state", .oneOrMore(.text), "Its state, or a list of acceptable ones."),
                Field(
                    "expectsToSend", NumberRange.shape, "Its countOfBytesClientExpectsToSend; -1: unknown."),
                Field(
                    "expectsToReceive", NumberRange.shape, "Its countOfBytesClientExpectsToReceive; -1: unknown."),
            ])

    private let session: SessionName
    private let number: Int
    private let count: Int?
    /// The names by kind; empty if the check does not name kinds.
    private let names: [TaskDescription.Kind: Set<String>]
    private let task: TaskName?
    private let states: [String]
    private let expected: [String: NumberRange]

    init(_ fields: Fields) throws(ScenarioError) {
        session = SessionName(fields.text("session") ?? SessionName.main.text)
        number = fields.number()
        count = fields.int("count")
        var names: [TaskDescription.Kind: Set<String>] = [:]
        for (field, kind) in Self.kinds where fields.has(field) { names[kind] = Set(fields.texts(field)) }
        self.names = names
        states = fields.texts("state")
        var expected: [String: NumberRange] = [:]
        for name in Self.estimates { expected[name] = try NumberRange(name, of: fields) }
        self.expected = expected
        task = fields.text("task").map { TaskName($0) }
        if task == nil {
            for field in ["state"] + Self.estimates where fields.has(field) {
                throw fields.error(field, "`\(field)` describes one task; name it with `task`")
            }
        }
        try fields.requireOne(of: ["count", "task"] + Self.kinds.map(\.field))
    }

    var neededEvents: Set<String> { ["tasksListed"] }
    var needs: Set<Capability> { expected.isEmpty ? [.taskList] : [.taskList, .transferSizeHints] }

    func problem(in scenario: Scenario) -> String? {
        let lists = scenario.script.count { $0 == .command(.listTasks(session)) }
        guard number <= lists else {
            return "the steps list the tasks of `\(session)` \(lists) times; add a step `listTasks`"
        }
        let made = Set(
            scenario.script.compactMap { step in
                if case .task(let description, body: _, starts: _) = step { description.task.text } else { nil }
            })
        return names.values.reduce(into: Set()) { $0.formUnion($1) }.subtracting(made).min().map {
            "the scenario does not create a task `\($0)`"
        }
    }

    func judge(_ record: RecordView) -> [Mismatch] {
        let lists = record.listings(of: session)
        guard number <= lists.count else {
            return mismatch(
                expected: "list \(number) of the tasks of \(session)", found: counted(lists.count, "list"),
                evidence: lists.map(\.moment))
        }
        let list = lists[number - 1]
        var differences: [(expected: String, found: String)] = []
        if let count, count != list.tasks.count {
            differences.append((counted(count, "task"), counted(list.tasks.count, "task")))
        }
        if !names.isEmpty {
            for (field, kind) in Self.kinds {
                let listed = list.tasks.filter { $0.kind == kind }.map { $0.task?.text ?? "(unknown)" }.sorted()
                let wanted = names[kind, default: []].sorted()
                if listed != wanted { differences.append(("\(field) \(named(wanted))", "\(field) \(named(listed))")) }
            }
        }
        if let task {
            if let listed = list.tasks.first(where: { $0.task == task }) {
                differences += self.differences(of: listed)
            } else {
                differences.append(("\(task)", "no \(task)"))
            }
        }
        let numbers = lists.flatMap(\.tasks).filter { $0.task != nil }
        for listed in list.tasks {
            if let other = numbers.first(where: { $0.task == listed.task && $0.identifier != listed.identifier }) {
                differences.append(
                    ("\(listed.task?.text ?? "") keeps its number", "\(other.identifier) and \(listed.identifier)"))
            }
        }
        guard !differences.isEmpty else { return [] }
        return mismatch(
            expected: "list \(number) of the tasks of \(session): "
                + differences.map(\.expected).joined(separator: ", "),
            found: differences.map(\.found).joined(separator: ", "), evidence: [list.moment])
    }

    private func differences(of listed: ListedTask) -> [(expected: String, found: String)] {
        var differences: [(expected: String, found: String)] = []
        if !states.isEmpty, !states.contains(listed.state) {
            differences.append(("state \(states.joined(separator: " or "))", "state \(listed.state)"))
        }
        for (name, value) in zip(Self.estimates, [listed.clientExpectsToSend, listed.clientExpectsToReceive]) {
            if let range = expected[name], value.map(range.contains) != true {
                differences.append(
                    ("\(name) \(range.description)", "\(name) \(value.map { "\($0)" } ?? "not reported")"))
            }
        }
        return differences
    }

    private func named(_ names: [String]) -> String { names.isEmpty ? "none" : names.joined(separator: " and ") }
}
