import Record
import ScenarioLanguage
import AdapterProtocol

/// The later state of what a task delivered: retained data objects are unchanged (DATA-04), a moved file is complete
/// (DNLD-03), and a file left in its place is removed (DNLD-02).
struct RetainedCheck: Check {
    static let key = "retained"
    static let basis: Basis? = .urlsession
    static let summary =
        "The content that the client retained for a task, and the presence of its file, when `readRetained` reads them."
    static let shape: Shape = {
        guard case .object(let fields) = BodyExpectation.shape("what was kept") else {
            preconditionFailure("a body is an object")
        }
        return .object(
            fields + [
                Field("content", .word(["nothing"]), "Nothing was retained."),
                Field(
                    "place", .word(["empty", "taken"]),
                    "`taken`: a file is still at the location where the session delivered it."),
            ])
    }()

    private let task: TaskName
    private let body: BodyExpectation?
    private let keepsNothing: Bool
    private let isInPlace: Bool?

    init(_ fields: Fields) throws(ScenarioError) {
        task = try fields.task()
        keepsNothing = fields.has("content")
        isInPlace = fields.text("place").map { $0 == "taken" }
        let says = ["equals", "text", "length"].contains(where: fields.has)
        if says, keepsNothing {
            throw fields.error("content", "`content: nothing` cannot be combined with expected content")
        }
        body = says ? try BodyExpectation(fields) : nil
        try fields.requireOne(of: ["equals", "text", "length", "content", "place"])
    }

    var neededEvents: Set<String> { [TaskEventName.retained.rawValue] }
    var needs: Set<Capability> { [.readRetained] }

    func problem(in scenario: Scenario) -> String? {
        let isRead = scenario.script.contains(.command(.readRetained(task)))
        return isRead
            ? body?.problem(in: scenario)
            : "the retained content of `\(task)` is never read; add a step `readRetained: \(task)`"
    }

    func judge(_ record: RecordView) -> [Mismatch] {
        var pieces = DeliveredChunks()
        var answer: (length: Int64?, isInPlace: Bool?, moment: RecordView.Moment)?
        for occurrence in record.events(of: task) where answer == nil {
            switch occurrence.event {
            case .retainedContent(_, let bytes): pieces.append(bytes, from: occurrence.moment.entry)
            case .retained(let length, let isInPlace): answer = (length, isInPlace, occurrence.moment)
            default: break
            }
        }
        guard let answer else { return mismatch(expected: "\(task).retained", found: "none") }
        if let isInPlace, answer.isInPlace != isInPlace {
            let found = answer.isInPlace.map { $0 ? "it is there" : "it is gone" } ?? "no file was delivered"
            return mismatch(
                expected: isInPlace
                    ? "the file of \(task) is at its location" : "the file of \(task) is gone from its location",
                found: found,
                evidence: [answer.moment])
        }
        if keepsNothing, let length = answer.length {
            return mismatch(
                expected: "nothing of \(task) was kept", found: "\(length) bytes", evidence: [answer.moment])
        }
        guard let body else { return [] }
        guard answer.length != nil else {
            return mismatch(expected: "something of \(task) was kept", found: "nothing", evidence: [answer.moment])
        }
        guard let difference = body.difference(of: pieces, in: record) else { return [] }
        return [
            Mismatch(
                check: Self.key, expected: "what \(task) delivered still is \(difference.expected)",
                found: difference.found,
                evidence: (difference.entry.map { [$0] } ?? []) + [answer.moment.entry])
        ]
    }
}
