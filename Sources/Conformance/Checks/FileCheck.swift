import Record
import ScenarioLanguage
import AdapterProtocol

/// The file that a download delivers (DNLD-10): a resume that repeats, skips or mixes bytes is found to the byte. If a
/// session is free to resume, restart or fail, a file must be complete and of one version, and without a file there
/// must be an error (DNLD-16).
struct FileCheck: Check {
    static let key = "file"
    static let summary = "The file that the download delivers, byte for byte."
    static let shape: Shape = {
        guard case .object(let fields) = BodyExpectation.shape("the file") else {
            preconditionFailure("a body is an object")
        }
        return .object(
            fields + [
                Field(
                    "orNone", .boolean,
                    "`true`: ending with an error and without a file is also right; default false.")
            ])
    }()

    private let file: BodyExpectation
    private let mayBeNone: Bool

    init(_ fields: Fields) throws(ScenarioError) {
        file = try BodyExpectation(fields)
        mayBeNone = fields.boolean("orNone") ?? false
    }

    func decodedTask(_ record: RecordView) -> TaskName? { file.task }

    func problem(in scenario: Scenario) -> String? {
        let isKept = scenario.script.contains { step in
            guard case .task(let task, body: _, starts: _) = step else { return false }
            return task.task == file.task && task.retainsDelivered
        }
        if isKept {
            return
                "`\(file.task)` retains its file, so the callback does not report it; use `readRetained` and the check `retained`"
        }
        return file.problem(in: scenario)
    }

    var neededEvents: Set<String> { [TaskEventName.fileContent.rawValue] }

    func judge(_ record: RecordView) -> [Mismatch] {
        guard let found = record.file(of: file.task) else { return judgeNone(record) }
        guard let difference = file.difference(of: found, in: record) else { return [] }
        let evidence = difference.entry ?? record.occurrences(of: file.task, .didFinishDownloading).first?.moment.entry
        return [
            Mismatch(
                check: Self.key, expected: "\(file.task)'s file holds \(difference.expected)", found: difference.found,
                evidence: evidence.map { [$0] } ?? [])
        ]
    }

    private func judgeNone(_ record: RecordView) -> [Mismatch] {
        let ends = record.completions(of: file.task)
        if mayBeNone, ends.contains(where: { $0.failure != nil }) { return [] }
        return mismatch(
            expected: "\(file.task) delivers a file" + (mayBeNone ? ", or ends with an error" : ""),
            found: mayBeNone && !ends.isEmpty ? "no file, and no error" : "no file", evidence: ends.map(\.moment))
    }
}
