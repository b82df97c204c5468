import Record
import ScenarioLanguage
import AdapterProtocol

/// The bytes that a data or upload task delivers (DATA-01): the start of a repeat, a gap or a splice is found to the
/// byte.
struct BodyCheck: Check {
    static let key = "body"
    static let summary = "The body that the task delivers, byte for byte."
    static let shape = BodyExpectation.shape("the body")

    private let body: BodyExpectation

    init(_ fields: Fields) throws(ScenarioError) { body = try BodyExpectation(fields) }

    func decodedTask(_ record: RecordView) -> TaskName? { body.task }

    func problem(in scenario: Scenario) -> String? { body.problem(in: scenario) }

    var neededEvents: Set<String> { [TaskEventName.didReceiveData.rawValue] }

    func judge(_ record: RecordView) -> [Mismatch] {
        let received = record.received(by: body.task)
        guard let difference = body.difference(of: received, in: record) else { return [] }
        let evidence = difference.entry ?? record.completions(of: body.task).first?.moment.entry
        return [
            Mismatch(
                check: Self.key, expected: "\(body.task) delivers \(difference.expected)", found: difference.found,
                evidence: evidence.map { [$0] } ?? [])
        ]
    }
}
