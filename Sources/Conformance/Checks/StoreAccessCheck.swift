import Record
import ScenarioLanguage
import AdapterProtocol

/// An access to a store of the session for a task (STOR-01 to STOR-05).
struct StoreAccessCheck: Check {
    static let key = "storeAccess"
    static let basis: Basis? = .urlsession
    static let summary = "An access to a store with a spy, for the task."
    static let shape = Shape.object([
        .task,
        Field("store", .word(SpyStore.allCases.map(\.rawValue)), required: true, "The store."),
        Field(
            "action", .word(TaskEvent.StoreAccess.Action.allCases.map(\.rawValue)), required: true,
            "The kind of access."),
        Field("number", .integer(1...1_000_000), "With `url`: the number of the access; default 1."),
        Field("url", .text, "The URL of the task's current request at the access."),
        Field(
            "count", NumberRange.shape,
            "The number of such accesses: a number or a range such as 1..3; default at least 1."),
    ])

    private let task: TaskName
    private let store: SpyStore
    private let action: TaskEvent.StoreAccess.Action
    private let number: Int
    private let url: String?
    private let count: NumberRange?

    init(_ fields: Fields) throws(ScenarioError) {
        task = try fields.task()
        guard let store = SpyStore(rawValue: try fields.need("store")),
            let action = TaskEvent.StoreAccess.Action(rawValue: try fields.need("action"))
        else { throw fields.error("store", "`store` and `action` are required") }
        self.store = store
        self.action = action
        number = fields.number()
        url = fields.text("url")
        count = try NumberRange("count", of: fields)
        if fields.has("number"), url == nil {
            throw fields.error("number", "`number` needs a `url`; add it")
        }
    }

    func problem(in scenario: Scenario) -> String? {
        scenario.configuration(of: task)?.spies.contains(store) == true
            ? nil
            : "the session of `\(task)` does not have a spy on its \(store.rawValue); write `spy: \(store.rawValue)` there"
    }

    var neededEvents: Set<String> { [TaskEventName.storeAccess.rawValue] }

    func judge(_ record: RecordView) -> [Mismatch] {
        let found = record.events(of: task).compactMap { occurrence -> (url: String, moment: RecordView.Moment)? in
            guard case .storeAccess(let question) = occurrence.event, question.store == store, question.action == action
            else { return nil }
            return (question.url, occurrence.moment)
        }
        let what = action == .read ? "read for \(task)" : "written to for \(task)"
        if let count, !count.contains(Int64(found.count)) {
            return mismatch(
                expected: "the \(store.rawValue) are \(what) \(count.description) times",
                found: counted(found.count, "time"), evidence: found.map(\.moment))
        }
        if count != nil, url == nil { return [] }
        guard number <= found.count else {
            return mismatch(
                expected: "the \(store.rawValue) are \(what), at least \(counted(number, "time"))",
                found: counted(found.count, "time"),
                evidence: found.map(\.moment))
        }
        let question = found[number - 1]
        guard let url, question.url != url else { return [] }
        return mismatch(
            expected: "the \(store.rawValue) are \(what) with \(url)",
            found: question.url.isEmpty ? "no URL" : question.url,
            evidence: [question.moment])
    }
}
