import Record
import ScenarioLanguage
import AdapterProtocol

/// The queue and the concurrency of callbacks, from their reported start and end (DLGT-01, DLGT-15 to DLGT-18).
struct CallbacksCheck: Check {
    static let key = "callbacks"
    static let basis: Basis? = .urlsession
    static let summary =
        "The number of callbacks of these tasks that ran at the same time, and their queue; needs sessions with a `delegateQueue`."
    static let dependsOnTime = ["atOnce: too few"]
    static let shape = Shape.object([
        Field("of", .oneOrMore(.text), required: true, "The task or tasks whose callbacks are counted."),
        Field(
            "atOnce", NumberRange.shape,
            "The largest number of callbacks that ran at the same time: a number, or a range such as 2..4."),
        Field("onQueue", .boolean, "`true`: each callback runs on the session's delegate queue."),
    ])

    private let tasks: [TaskName]
    private let atOnce: NumberRange?
    private let isOnQueue: Bool

    init(_ fields: Fields) throws(ScenarioError) {
        tasks = fields.texts("of").map { TaskName($0) }
        atOnce = try NumberRange("atOnce", of: fields)
        isOnQueue = fields.boolean("onQueue") ?? false
        if fields.boolean("onQueue") == false {
            throw fields.error("onQueue", "`onQueue: false` checks nothing; leave it out")
        }
        try fields.requireOne(of: ["atOnce", "onQueue"])
    }

    var neededEvents: Set<String> { [TaskEventName.callbackBegan.rawValue, TaskEventName.callbackEnded.rawValue] }
    var needs: Set<Capability> { [.delegateQueue] }

    func problem(in scenario: Scenario) -> String? {
        for task in tasks {
            let made = scenario.script.lazy.compactMap { step -> TaskDescription? in
                if case .task(let description, body: _, starts: _) = step, description.task == task {
                    description
                } else {
                    nil
                }
            }.first
            guard let made else { return "the scenario does not create a task `\(task)`" }
            let session = scenario.sessions.first { $0.name == made.session }
            if session?.configuration.delegateQueue == nil {
                return "`\(task)` does not report its callbacks; give its session a `delegateQueue: { width: 1 }`"
            }
            if made.delivery == .completionHandler {
                return
                    "`\(task)` has a completion handler instead of most callbacks; use a task without one"
            }
        }
        return nil
    }

    func judge(_ record: RecordView) -> [Mismatch] {
        let reported = tasks.flatMap { task in
            record.events(of: task).map { (task: task, event: $0.event, moment: $0.moment) }
        }
        .sorted { $0.moment < $1.moment }
        var underWay: [RecordView.Moment] = []
        var most: [RecordView.Moment] = []
        for item in reported {
            switch item.event {
            case .callbackBegan(let callback, let onQueue):
                if isOnQueue, !onQueue {
                    return mismatch(
                        expected: "\(callback.rawValue) of \(item.task) on the session's queue",
                        found: "it ran on another queue",
                        evidence: [item.moment])
                }
                underWay.append(item.moment)
                if underWay.count > most.count { most = underWay }
            case .callbackEnded: if !underWay.isEmpty { underWay.removeFirst() }
            default: break
            }
        }
        for task in tasks where record.occurrences(of: task, .callbackBegan).isEmpty {
            return mismatch(expected: "callbacks of \(task)", found: "none")
        }
        guard let atOnce, !atOnce.contains(Int64(most.count)) else { return [] }
        return mismatch(
            expected: "\(atOnce.description) callbacks of \(names) at the same time", found: "\(most.count)",
            evidence: most, dependsOnTime: most.count < atOnce.lower)
    }

    private var names: String { tasks.map(\.text).joined(separator: ", ") }
}
