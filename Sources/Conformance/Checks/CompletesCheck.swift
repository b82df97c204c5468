import Record
import ScenarioLanguage
import AdapterProtocol

/// The completion of a task: without an error, or with one of the documented codes, with resume data or without
/// (ERRR-04, DNLD-17, DLGT-06).
struct CompletesCheck: Check {
    static let key = "completes"
    static let summary = "The task completes, with this error or none, and with or without resume data."
    static let shape = Shape.object(
        [.task] + ErrorExpectation.fields + [
            Field("resumeData", .word(["present", "absent"]), "The presence of resume data in the completion.")
        ])

    private let task: TaskName
    private let error: ErrorExpectation
    private let resumeData: Bool?

    init(_ fields: Fields) throws(ScenarioError) {
        task = try fields.task()
        error = try ErrorExpectation(fields)
        resumeData = fields.text("resumeData").map { $0 == "present" }
    }

    /// If the implementation never produces resume data, their absence proves nothing.
    /// Every client reports it; a program without an adapter does not.
    var neededEvents: Set<String> { [TaskEventName.didComplete.rawValue] }

    var needs: Set<Capability> { resumeData == nil ? [] : [.resumeData] }

    var succeedingTask: TaskName? { error.isNone ? task : nil }

    /// A client may also refuse a response in a coding that it did not offer.
    func decodedTask(_ record: RecordView) -> TaskName? {
        let isRefused = record.completions(of: task).first?.failure?.class == .malformedResponse
        return error.acceptsDecodingError || error.isNone && isRefused ? task : nil
    }

    func judge(_ record: RecordView) -> [Mismatch] {
        let comparison = record.errorComparison(task)
        let expected =
            "\(task) ends with \(error.description(by: comparison))"
            + (resumeData.map { $0 ? ", with resume data" : ", without resume data" } ?? "")
        guard let completion = record.completions(of: task).first else {
            return mismatch(
                expected: expected, found: "no completion of \(task)",
                evidence: record.events(of: task).last.map { [$0.moment] } ?? [])
        }
        let length = completion.resumeDataLength ?? 0
        let error = record.lostReset(before: completion.moment) ? error.orTimeoutForConnectionLoss : error
        if error.matches(completion.failure, by: comparison), resumeData == nil || resumeData == (length > 0) {
            return []
        }
        let resume =
            resumeData == nil ? "" : length > 0 ? ", with \(length) bytes of resume data" : ", without resume data"
        return mismatch(
            expected: expected, found: ErrorExpectation.description(completion.failure, by: comparison) + resume,
            evidence: [completion.moment], dependsOnTime: error.concernsTimeout(completion.failure))
    }
}
