import Record
import ScenarioLanguage
import AdapterProtocol

/// The offset at which a download reports that it resumes is the one on the wire (DNLD-12): that of the 206's
/// `Content-Range`, which must be the requested one, or 0 for a 200; and never more than the origin had sent before.
struct ResumeOffsetCheck: Check {
    static let key = "resumeOffset"
    static let summary = "The download reports once at which offset it resumes, and the wire agrees."
    static let shape = Shape.object([
        .task,
        Field(
            "offset", .either([.integer(0...Int64.max), .word(["sameAsOnTheWire", "zero"])]), required: true,
            "`sameAsOnTheWire`: the offset of Range and Content-Range (0 for a 200); `zero`; or a number."),
        Field(
            "request", .integer(1...1_000_000),
            "The number of the request that resumes it; needed if tasks for the same path overlap."),
    ])

    private enum Offset {
        case wire
        case exact(Int64)
    }
    private let task: TaskName
    private let offset: Offset
    private let request: Int?

    init(_ fields: Fields) throws(ScenarioError) {
        task = try fields.task()
        request = fields.integer("request").map { Int(clamping: $0) }
        offset =
            fields.integer("offset").map { .exact($0) } ?? (fields.text("offset") == "zero" ? .exact(0) : .wire)
    }

    var neededEvents: Set<String> { [TaskEventName.didResumeAtOffset.rawValue] }
    var needs: Set<Capability> { [.resumeData] }

    func judge(_ record: RecordView) -> [Mismatch] {
        let reported = record.resumeOffsets(of: task)
        guard let first = reported.first else {
            return mismatch(
                expected: "\(task).didResumeAtOffset", found: "none",
                evidence: record.completions(of: task).map(\.moment))
        }
        guard reported.count == 1 else {
            return mismatch(
                expected: "one \(task).didResumeAtOffset", found: "\(reported.count)",
                evidence: reported.prefix(5).map(\.moment))
        }
        switch offset {
        case .exact(let wanted):
            guard first.offset != wanted else { return [] }
            return mismatch(
                expected: "\(task).didResumeAtOffset says \(wanted)", found: "it says \(first.offset)",
                evidence: [first.moment])
        case .wire: return compareWithWire(record, first)
        }
    }

    private func compareWithWire(
        _ record: RecordView, _ reported: (offset: Int64, expected: Int64, moment: RecordView.Moment)
    ) -> [Mismatch] {
        let wire: WireRequest
        switch resuming(record, before: reported.moment) {
        case .one(let request): wire = request
        case .none(let reason):
            return mismatch(expected: "a request of \(task)", found: reason, evidence: [reported.moment])
        }
        let said = "\(task).didResumeAtOffset says \(reported.offset)"
        func fails(_ expected: String, _ found: String = said) -> [Mismatch] {
            mismatch(expected: expected, found: found, evidence: [wire.moment, reported.moment])
        }
        guard wire.status == 206 else {
            let status = wire.status.map { "status \($0)" } ?? "no answer"
            return reported.offset == 0 ? [] : fails("offset 0, because request \(wire.number) got \(status)")
        }
        guard let range = wire.contentRange else { return fails("a Content-Range in response \(wire.number)", "none") }
        if wire.rangeStart != range.first {
            return fails(
                "a part that begins where request \(wire.number) asked (\(wire.rangeStart.map { "\($0)" } ?? "nowhere"))",
                "the part from byte \(range.first) on was accepted")
        }
        if reported.offset != range.first {
            return fails("offset \(range.first), as in the Content-Range of response \(wire.number)")
        }
        if let complete = range.complete, reported.expected != complete {
            return fails("\(complete) bytes expected in total", "\(said) of \(reported.expected) bytes")
        }
        let earlier = record.requests.filter { $0.path == wire.path && $0.number < wire.number }
        // A count that is not final proves nothing.
        guard earlier.allSatisfy({ record.isCounted($0) }) else { return [] }
        let sent = earlier.map(\.sentBytesEnd).max() ?? 0
        if reported.offset > sent { return fails("at most the \(sent) bytes that had been sent before") }
        return []
    }

    private enum Resuming {
        case one(WireRequest)
        case none(String)
    }

    private func resuming(_ record: RecordView, before moment: RecordView.Moment) -> Resuming {
        if let request {
            return record.request(request).map { .one($0) } ?? .none("no request \(request)")
        }
        guard let requests = record.requests(of: task) else {
            return .none("several tasks may have sent it; name the request in the scenario with `request:`")
        }
        let answered = requests.filter { $0.moment < moment && $0.status != nil }
        return (answered.last ?? requests.last).map { .one($0) } ?? .none("none")
    }
}
