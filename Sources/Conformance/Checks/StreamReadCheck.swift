import Record
import ScenarioLanguage
import AdapterProtocol

/// The data read by a stream task, in order, including reads through the streams that it became (STRM-01, STRM-02,
/// STRM-03).
struct StreamReadCheck: Check {
    static let key = "streamRead"
    static let basis: Basis? = .urlsession
    static let summary = "The bytes of all reads of a stream task together."
    static let shape = Shape.object([
        .task,
        Field(
            "contains", .oneOrMore(.text), required: true,
            "Texts that they contain, in this order."),
        Field(
            "body", .text,
            "A path of the origin whose whole body follows the first empty line."),
        Field("atEnd", .boolean, "True: the last read reported the end of the stream."),
    ])

    private let task: TaskName
    private let texts: [String]
    private let body: String?
    private let isAtEnd: Bool?

    init(_ fields: Fields) throws(ScenarioError) {
        task = try fields.task()
        texts = fields.texts("contains")
        body = fields.text("body")
        isAtEnd = fields.boolean("atEnd")
    }

    func problem(in scenario: Scenario) -> String? {
        guard let body, scenario.origin.representation(body, version: 1) == nil else { return nil }
        let known = Set(scenario.origin.representations.map(\.path)).sorted()
        return "the origin does not serve a body at `\(body.shortened)`\(Spelling.hint(for: body, among: known))"
    }

    var neededEvents: Set<String> { [TaskEventName.streamRead.rawValue] }
    var needs: Set<Capability> { [.streamTask] }

    func judge(_ record: RecordView) -> [Mismatch] {
        var bytes: [UInt8] = []
        var ended = false
        var moments: [RecordView.Moment] = []
        for occurrence in record.occurrences(of: task, .streamRead) {
            guard case .streamRead(let part, let atEnd, let failure) = occurrence.event else { continue }
            if let failure {
                return mismatch(expected: "\(task) reads", found: failure.summary, evidence: [occurrence.moment])
            }
            bytes += part
            ended = atEnd
            moments.append(occurrence.moment)
        }
        var rest = bytes[...]
        if let body {
            guard let head = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else {
                return mismatch(
                    expected: "\(task) reads a head", found: "\(bytes.count) bytes without an empty line",
                    evidence: moments)
            }
            // Not from `rest`: the head's texts are searched as well.
            if let expected = record.scenario.origin.representation(body, version: 1) {
                let found = Array(bytes[head.upperBound...].prefix(Int(expected.length)))
                if let wrong = WrongBytes(found, instead: expected, others: record.scenario.origin.representations) {
                    return mismatch(
                        expected: "\(task) reads the \(expected.length) bytes of \(expected.description)",
                        found: wrong.text, evidence: moments)
                }
            }
        }
        for text in texts {
            guard let range = rest.firstRange(of: Array(text.utf8)) else {
                return mismatch(
                    expected: "\(task) reads \(quoted(text))",
                    found: "\(bytes.count) bytes: \(quoted(String(decoding: bytes.prefix(200), as: UTF8.self)))",
                    evidence: moments)
            }
            rest = rest[range.upperBound...]
        }
        if let isAtEnd, ended != isAtEnd {
            return mismatch(
                expected: isAtEnd ? "the end of the stream" : "no end of the stream",
                found: ended ? "its end" : "no end", evidence: moments)
        }
        return []
    }
}
