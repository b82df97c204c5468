import Record
import ScenarioLanguage
import AdapterProtocol

/// The numbers in a transfer's progress messages: each total is the previous one plus the new bytes, and the last is
/// the size (DNLD-04, UPLD-10). A download starts at the offset at which it resumes, and an upload at the one that its
/// append names (`Upload-Offset`); an upload may start again after a challenge, a redirect or with a new body stream.
struct ProgressCheck: Check {
    static let key = "progress"
    static let summary = "The task's progress callbacks, and the total that they end at."
    static let shape = Shape.object([
        .task,
        Field("kind", .word(["download", "upload"]), required: true, "didWriteData or didSendBodyData."),
        Field("final", .byteCount, "The last total."),
        Field("expected", .integer(-1...Int64.max), "The expected total in the last callback; -1: unknown."),
        Field(
            "monotonic", .boolean,
            "`true`: each total is the previous one plus the new bytes."),
    ])

    private let task: TaskName
    private let isUpload: Bool
    private let final: Int64?
    private let expected: Int64?
    private let isMonotonic: Bool

    init(_ fields: Fields) throws(ScenarioError) {
        task = try fields.task()
        isUpload = fields.text("kind") == "upload"
        final = fields.byteCount("final")?.bytes
        expected = fields.integer("expected")
        isMonotonic = fields.boolean("monotonic") ?? false
        if fields.boolean("monotonic") == false {
            throw fields.error("monotonic", "`monotonic: false` checks nothing; leave it out")
        }
        try fields.requireOne(of: ["final", "expected", "monotonic"])
    }

    func decodedTask(_ record: RecordView) -> TaskName? { isUpload ? nil : task }
    var neededEvents: Set<String> { [(isUpload ? TaskEventName.didSendBodyData : .didWriteData).rawValue] }
    var needs: Set<Capability> { [isUpload ? .uploadProgress : .downloadProgress] }

    private struct Message {
        var step: Int64
        var total: Int64
        var expected: Int64
        var moment: RecordView.Moment
        /// The total to which this message adds.
        var base: Int64
    }

    func judge(_ record: RecordView) -> [Mismatch] {
        let messages = messages(record)
        guard let last = messages.last else {
            return mismatch(
                expected: "progress of \(task)", found: "no \(isUpload ? "didSendBodyData" : "didWriteData")",
                evidence: record.completions(of: task).map(\.moment))
        }
        if isMonotonic, let wrong = messages.first(where: { $0.step < 0 || $0.total != $0.base.plus($0.step) }) {
            return mismatch(
                expected: "a total of \(wrong.base.plus(wrong.step)) (\(wrong.base) and \(wrong.step) more)",
                found: "\(wrong.total)",
                evidence: [wrong.moment])
        }
        if let final, last.total != final {
            return mismatch(expected: "a last total of \(final)", found: "\(last.total)", evidence: [last.moment])
        }
        if let expected, last.expected != expected {
            return mismatch(
                expected: "\(expected) bytes expected in total", found: "\(last.expected)", evidence: [last.moment])
        }
        return []
    }

    private func messages(_ record: RecordView) -> [Message] {
        var messages: [Message] = []
        var total: Int64 = 0
        var mayRestart = false
        // A redirect or retry without a delegate call appears only on the wire: each request after the first may send
        // the body again.
        var silentRestarts = isUpload ? max(0, record.reached(by: task).count - 1) : 0
        let appends = isUpload ? self.appends(record) : []
        for occurrence in record.events(of: task) {
            switch occurrence.event {
            case .didSendBodyData(let step, let sum, let expected) where isUpload:
                let isRestart = sum == step && total > 0 && (mayRestart || silentRestarts > 0)
                let start = sum.minus(step)
                // A server may have kept less than was sent, but no append leaves out bytes after the first one.
                let isAppend = appends.contains(start) && (messages.isEmpty || start < total)
                let base = isRestart ? 0 : isAppend ? start : total
                if isRestart { silentRestarts -= 1 }
                messages.append(
                    Message(step: step, total: sum, expected: expected, moment: occurrence.moment, base: base))
                (total, mayRestart) = (sum, false)
            case .didWriteData(let step, let sum, let expected) where !isUpload:
                messages.append(
                    Message(step: step, total: sum, expected: expected, moment: occurrence.moment, base: total))
                total = sum
            case .didReceiveChallenge, .willPerformRedirect, .needNewBodyStream: mayRestart = true
            case .didResumeAtOffset(let offset, _) where !isUpload: total = offset
            default: break
            }
        }
        return messages
    }

    /// The offsets at which the task continues an upload. The address of the upload is the server's choice, so time
    /// identifies the requests.
    private func appends(_ record: RecordView) -> Set<Int64> {
        guard let started = record.moments(of: .resume(task)).first else { return [] }
        return Set(
            record.requests.lazy.filter { started < $0.moment }.compactMap { $0.header("Upload-Offset") }
                .compactMap { Int64($0) })
    }
}
