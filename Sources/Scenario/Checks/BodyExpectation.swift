import AdapterProtocol

/// What bytes a task must have brought: those of a path of the origin, a text, or so many.
struct BodyExpectation: Hashable {
    enum Content: Hashable {
        case path(String, version: UInt64)
        case text(String)
    }
    let task: TaskName
    let content: Content?
    let length: Int64?

    static func shape(_ what: String) -> Shape {
        .object([
            .task,
            Field("equals", .text, "A path of the origin whose bytes \(what) must be, such as /big."),
            Field("version", .integer(1...1_000_000), "With `equals`: which version of the path; 1, or that of its `then` (2)."),
            Field("text", .text, "The text that \(what) must be."),
            Field("length", .byteCount, "The number of bytes."),
        ])
    }

    init(_ fields: Fields) throws(ScenarioError) {
        task = try fields.task()
        length = fields.byteCount("length")?.bytes
        let path = fields.text("equals")
        let text = fields.text("text")
        if path != nil, text != nil { throw fields.error("text", "`equals` and `text` exclude each other") }
        if fields.has("version"), path == nil { throw fields.error("version", "`version` says which bytes of `equals`; give that") }
        if let path, !path.hasPrefix("/") {
            throw fields.error("equals", "`equals` is `\(path.shortened)`; it takes a path of the origin such as /big, or `text:`")
        }
        content = path.map { .path($0, version: UInt64(clamping: fields.integer("version") ?? 1)) } ?? text.map { .text($0) }
        try fields.requireOne(of: ["equals", "text", "length"])
    }

    func problem(in scenario: Scenario) -> String? {
        guard case .path(let path, let version) = content else { return nil }
        let origin = scenario.origin
        if origin.representation(path, version: version) != nil { return nil }
        if origin.representation(path, version: 1) != nil { return "\(path) has no version \(version)" }
        let known = Set(origin.representations.map(\.path)).sorted()
        return "the origin has no bytes at `\(path.shortened)`\(Spelling.hint(for: path, among: known))"
    }

    /// What was expected, found, and where; nil when it holds.
    func difference(of pieces: Pieces, in record: RecordView) -> (expected: String, found: String, entry: Int?)? {
        let found = pieces.bytes
        if let length, Int64(found.count) != length {
            return ("\(length) bytes", "\(found.count) bytes", pieces.entry(of: found.count))
        }
        switch content {
        case nil: return nil
        case .path(let path, let version):
            guard let expected = record.scenario.origin.representation(path, version: version) else { return nil }
            let others = record.scenario.origin.representations
            guard let wrong = WrongBytes(found, instead: expected, others: others) else { return nil }
            return ("the \(expected.length) bytes of \(expected.words)", wrong.text, pieces.entry(of: Int(wrong.offset)))
        case .text(let text):
            let wanted = Array(text.utf8)
            guard wanted != found else { return nil }
            let offset = zip(wanted, found).prefix { $0 == $1 }.count
            let shown = String(validating: found, as: UTF8.self).map(quoted) ?? "\(found.count) bytes that are no text"
            return (quoted(text), "\(shown), wrong from byte \(offset) on", pieces.entry(of: offset))
        }
    }
}
