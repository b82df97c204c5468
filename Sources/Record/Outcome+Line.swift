import AdapterProtocol

extension Outcome {
    var object: RecordObject {
        let line = RecordObject("runEnded").with("outcome", word)
        switch self {
        case .pass: return line
        case .fail(let kind, let mismatches):
            return line.with("kind", kind.rawValue)
                .with("mismatches", mismatches.map { JSONValue.object($0.values) })
        case .unsupported(let reason): return line.with("reason", reason)
        case .skipped(let after): return line.with("dependsOn", after)
        case .error(let reason): return line.with("reason", reason)
        }
    }

    init(_ fields: RecordFields) throws(RecordError) {
        switch try fields.text("outcome") {
        case "pass": self = .pass
        case "fail":
            var mismatches: [Mismatch] = []
            for item in try fields.list("mismatches") {
                guard let values = item.object else { throw .missing("mismatches", in: "runEnded") }
                mismatches.append(try Mismatch(RecordFields(kind: "mismatch", values: values)))
            }
            self = .fail(try fields.word("kind", FailureKind.self), mismatches)
        case "unsupported": self = .unsupported(try fields.text("reason"))
        case "skipped": self = .skipped(after: try fields.text("dependsOn"))
        case "error": self = .error(try fields.text("reason"))
        default: throw .missing("outcome", in: "runEnded")
        }
    }
}

extension Mismatch {
    fileprivate var values: [String: JSONValue] {
        var values: [String: JSONValue] = [
            "check": .text(check), "expected": .text(expected), "found": .text(found),
            "evidence": .list(evidence.map { .integer(Int64($0)) }),
        ]
        if let line { values["line"] = .integer(Int64(line)) }
        if dependsOnTime { values["dependsOnTime"] = .boolean(true) }
        return values
    }

    fileprivate init(_ fields: RecordFields) throws(RecordError) {
        var evidence: [Int] = []
        for item in try fields.list("evidence") {
            guard let index = item.integer.flatMap({ Int(exactly: $0) }) else {
                throw .missing("evidence", in: fields.kind)
            }
            evidence.append(index)
        }
        self.init(
            check: try fields.text("check"), line: try fields.optional("line", fields.whole),
            expected: try fields.text("expected"), found: try fields.text("found"), evidence: evidence,
            dependsOnTime: fields.has("dependsOnTime"))
    }
}
