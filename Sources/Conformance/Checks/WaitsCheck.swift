import Record
import ScenarioLanguage
import AdapterProtocol

/// A task without connectivity reports exactly once that it waits, and neither ends nor uses the network before there
/// is a path (CONN-05, CONN-07, CONN-08, CONN-12).
struct WaitsCheck: Check {
    static let key = "waits"
    static let basis: Basis? = .urlsession
    static let summary =
        "The task reports once that it waits for connectivity, and neither ends nor sends a request before connectivity returns."
    static let dependsOnTime = ["the report before the path is up"]
    static let shape = Shape.object([
        .task,
        Field(
            "until", .word(["connectivity", "end"] + InterfaceKind.allCases.map(\.rawValue)),
            "The end of the wait: any interface with a route (the default), an interface of this kind, or `end`: the wait never succeeds."
        ),
    ])

    private enum End {
        case path(InterfaceKind?)
        case never
    }
    private let task: TaskName
    private let until: End

    init(_ fields: Fields) throws(ScenarioError) {
        task = try fields.task()
        switch fields.text("until") {
        case "end": until = .never
        case let word: until = .path(word.flatMap(InterfaceKind.init(rawValue:)))
        }
    }

    var neededEvents: Set<String> { [TaskEventName.taskIsWaitingForConnectivity.rawValue] }
    var needs: Set<Capability> { [.waitsForConnectivity] }

    func judge(_ record: RecordView) -> [Mismatch] {
        let waits = record.occurrences(of: task, .taskIsWaitingForConnectivity).map(\.moment)
        guard let reported = waits.first, waits.count == 1 else {
            return mismatch(
                expected: "\(task).taskIsWaitingForConnectivity exactly once", found: "\(counted(waits.count, "time"))",
                evidence: waits.isEmpty ? record.completions(of: task).map(\.moment) : Array(waits.prefix(5)))
        }
        // A request that another task may have made is not evidence.
        let requests = record.requests(of: task) ?? []
        let completion = record.completions(of: task).first
        switch until {
        case .never:
            if let request = requests.first {
                return mismatch(
                    expected: "\(task) never reaches the origin", found: "request \(request.number)",
                    evidence: [request.moment])
            }
            if let completion, completion.failure == nil {
                return mismatch(
                    expected: "\(task) waits until it fails", found: "it succeeds", evidence: [completion.moment])
            }
            return []
        case .path(let kind): return judge(record, kind, reported, requests.first, completion)
        }
    }

    private func judge(
        _ record: RecordView, _ kind: InterfaceKind?, _ reported: RecordView.Moment, _ request: WireRequest?,
        _ completion: RecordView.Completion?
    ) -> [Mismatch] {
        let history = PathHistory(record, only: kind.map { [$0] } ?? Set(InterfaceKind.allCases))
        let what = kind?.rawValue ?? "connectivity"
        guard let begun = record.moments(of: .resume(task)).first ?? record.start else {
            return mismatch(expected: "\(task) is started", found: "it was never started")
        }
        if history.hasPath(at: begun) {
            return mismatch(
                expected: "no \(what) when \(task) starts", found: "it was up", evidence: [begun, reported])
        }
        guard let path = history.nextPath(after: begun) else {
            return completion.map {
                mismatch(
                    expected: "\(task) waits for \(what), which never came", found: "it ends",
                    evidence: [reported, $0.moment])
            } ?? []
        }
        // During the change there may still be no path.
        if let there = history.nextReportedPath(after: begun), there < reported {
            return mismatch(
                expected: "\(task) reports that it waits before \(what) is up",
                found: "\(durationText(reported.time.minus(there.time))) after",
                evidence: [there, reported], dependsOnTime: true)
        }
        if let request, request.moment < path {
            return mismatch(
                expected: "no request of \(task) before \(what)", found: "request \(request.number) before it",
                evidence: [request.moment, path])
        }
        if let completion, completion.moment < path {
            return mismatch(
                expected: "\(task) waits until \(what) comes",
                found: "it ends earlier: \(ErrorExpectation.description(completion.failure))",
                evidence: [completion.moment, path])
        }
        return []
    }
}
