import AdapterProtocol

/// What a stream task's reads brought, one after the other (STRM-01, STRM-02).
struct StreamedCheck: Check {
    static let key = "streamed"
    static let summary = "The bytes that a stream task read, all reads together, contain this."
    static let shape = Shape.object([
        .task,
        Field("contains", .oneOrMore(.text), required: true, "Texts that stand in them, in this order and one after the other."),
        Field("atEnd", .boolean, "Whether the last read said that nothing follows."),
    ])

    private let task: TaskName
    private let texts: [String]
    private let isAtEnd: Bool?

    init(_ fields: Fields) throws(ScenarioError) {
        task = try fields.task()
        texts = fields.texts("contains")
        isAtEnd = fields.boolean("atEnd")
    }

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
        var rest = String(decoding: bytes, as: UTF8.self)[...]
        for text in texts {
            guard let range = rest.firstRange(of: text) else {
                return mismatch(
                    expected: "\(task) reads \(quoted(text))", found: "\(bytes.count) bytes: \(quoted(String(decoding: bytes.prefix(200), as: UTF8.self)))",
                    evidence: moments)
            }
            rest = rest[range.upperBound...]
        }
        if let isAtEnd, ended != isAtEnd {
            return mismatch(
                expected: isAtEnd ? "the end of the stream" : "no end of the stream", found: ended ? "its end" : "no end", evidence: moments)
        }
        return []
    }
}
