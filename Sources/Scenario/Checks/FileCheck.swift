import AdapterProtocol

/// The file that a download hands over, to the byte (DNLD-10): a resume that repeats, skips or mixes bytes is found where it does.
struct FileCheck: Check {
    static let key = "file"
    static let summary = "The file that the download hands over is this, byte for byte."
    static let shape = BodyExpectation.shape("the file")

    private let file: BodyExpectation

    init(_ fields: Fields) throws(ScenarioError) { file = try BodyExpectation(fields) }

    func problem(in scenario: Scenario) -> String? { file.problem(in: scenario) }

    func judge(_ record: RecordView) -> [Mismatch] {
        guard let found = record.file(of: file.task) else {
            return mismatch(
                expected: "\(file.task) hands over a file", found: "no file",
                evidence: record.completions(of: file.task).map(\.moment))
        }
        guard let difference = file.difference(of: found, in: record) else { return [] }
        let evidence = difference.entry ?? record.occurrences(of: file.task, .didFinishDownloading).first?.moment.entry
        return [
            Mismatch(
                check: Self.key, expected: "\(file.task)'s file holds \(difference.expected)", found: difference.found,
                evidence: evidence.map { [$0] } ?? [])
        ]
    }
}
