import ScenarioLanguage
import AdapterProtocol

/// The bytes that a task must deliver: those of a path of the origin, a text, or a number of bytes.
struct BodyExpectation: Hashable {
    enum Content: Hashable {
        /// The bytes of a path; a nil version allows any version, but only one.
        case path(String, version: UInt64?)
        case text(String)
    }
    let task: TaskName
    let content: Content?
    let length: Int64?

    static func shape(_ what: String) -> Shape {
        .object([
            .task,
            Field("equals", .text, "A path of the origin whose bytes \(what) must be, such as /big."),
            Field(
                "version", .either([.integer(1...1_000_000), .word(["any"])]),
                "With `equals`: the version of the path: 1, 2 (its `replacedBy`), or `any` single version; default 1."
            ),
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
        if fields.has("version"), path == nil {
            throw fields.error("version", "`version` selects the bytes of `equals`; add `equals`")
        }
        if let path, !path.hasPrefix("/") {
            throw fields.error(
                "equals", "`equals` is `\(path.shortened)`; it takes a path of the origin such as /big, or `text:`")
        }
        let version = fields.text("version") == "any" ? nil : UInt64(clamping: fields.integer("version") ?? 1)
        content = path.map { .path($0, version: version) } ?? text.map { .text($0) }
        try fields.requireOne(of: ["equals", "text", "length"])
    }

    func problem(in scenario: Scenario) -> String? {
        guard case .path(let path, let version) = content else { return nil }
        let origin = scenario.origin
        if !origin.representations(path, version: version).isEmpty { return nil }
        if let version, origin.representation(path, version: 1) != nil { return "\(path) has no version \(version)" }
        let known = Set(origin.representations.map(\.path)).sorted()
        return "the origin does not serve a body at `\(path.shortened)`\(Spelling.hint(for: path, among: known))"
    }

    /// Returns the expected and the found bytes with their entry; nil if they agree.
    func difference(of pieces: DeliveredChunks, in record: RecordView) -> (
        expected: String, found: String, entry: Int?
    )? {
        let found = pieces.bytes
        if let length, Int64(found.count) != length {
            return ("\(length) bytes", "\(found.count) bytes", pieces.entry(of: found.count))
        }
        switch content {
        case nil: return nil
        case .path(let path, let version):
            let others = record.scenario.origin.representations
            var wrongs: [(wrong: WrongBytes, expected: Representation)] = []
            for expected in record.scenario.origin.representations(path, version: version) {
                guard let wrong = WrongBytes(found, instead: expected, others: others) else { return nil }
                wrongs.append((wrong, expected))
            }
            // The version with the longest match is the intended one.
            guard let (wrong, expected) = wrongs.max(by: { $0.wrong.offset < $1.wrong.offset }) else { return nil }
            return (
                "the \(expected.length) bytes of \(expected.description)", wrong.text,
                pieces.entry(of: Int(wrong.offset))
            )
        case .text(let text):
            let wanted = Array(text.utf8)
            guard wanted != found else { return nil }
            let offset = zip(wanted, found).prefix { $0 == $1 }.count
            let shown = String(validating: found, as: UTF8.self).map(quoted) ?? "\(found.count) bytes that are not text"
            return (quoted(text), "\(shown), wrong from byte \(offset) on", pieces.entry(of: offset))
        }
    }
}
