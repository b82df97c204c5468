import Record
import ScenarioLanguage
import AdapterProtocol

/// A task's properties when a step inspects it (TASK-03, TASK-09).
struct InspectedCheck: Check {
    static let key = "inspected"
    static let basis: Basis? = .urlsession
    static let summary = "The state and counters of the task at its k-th inspection."
    private static let counters = ["bytesReceived", "bytesSent", "expectedToReceive", "expectedToSend"]
    static let shape = Shape.object(
        [
            .task, .number("inspection"),
            Field(
                "state", .oneOrMore(.text),
                "The state: running, suspended, canceling, completed; or a list of acceptable ones."),
        ]
            + counters.map {
                Field(
                    $0, NumberRange.shape, "The task's counter: a number, or a range such as 1..65536; -1: unknown.")
            })

    private let task: TaskName
    private let number: Int
    private let states: [String]
    private let expected: [String: NumberRange]

    init(_ fields: Fields) throws(ScenarioError) {
        task = try fields.task()
        number = fields.number()
        states = fields.texts("state")
        var wanted: [String: NumberRange] = [:]
        for name in Self.counters { wanted[name] = try NumberRange(name, of: fields) }
        self.expected = wanted
        try fields.requireOne(of: ["state"] + Self.counters)
    }

    var neededEvents: Set<String> { [TaskEventName.inspected.rawValue] }
    var needs: Set<Capability> { [.inspectTask] }

    func judge(_ record: RecordView) -> [Mismatch] {
        let found = record.occurrences(of: task, .inspected)
        guard number <= found.count,
            case .inspected(let state, let received, let sent, let toReceive, let toSend) = found[number - 1].event
        else {
            return mismatch(
                expected: "inspection \(number) of \(task)", found: counted(found.count, "inspection"),
                evidence: found.map(\.moment))
        }
        var differences: [(expected: String, found: String)] = []
        if !states.isEmpty, !states.contains(state) {
            differences.append(("state \(states.joined(separator: " or "))", "state \(state)"))
        }
        for (name, value) in zip(Self.counters, [received, sent, toReceive, toSend]) {
            if let range = expected[name], !range.contains(value) {
                differences.append(("\(name) \(range.description)", "\(name) \(value)"))
            }
        }
        guard !differences.isEmpty else { return [] }
        return mismatch(
            expected: "inspection \(number) of \(task): " + differences.map(\.expected).joined(separator: ", "),
            found: differences.map(\.found).joined(separator: ", "), evidence: [found[number - 1].moment])
    }
}
