import Record
import ScenarioLanguage
import AdapterProtocol

/// All of some events come before any of others; each must happen, so that the check cannot pass because they are
/// missing.
struct BeforeCheck: Check {
    static let key = "before"
    static let summary =
        "Every occurrence of the `first` events comes before any of the `then` events; all of them happen."
    static let shape = Shape.object([
        Field("first", .oneOrMore(.text), required: true, "TASK.EVENT, or a list."),
        Field("then", .oneOrMore(.text), required: true, "TASK.EVENT, or a list."),
    ])

    private let first: [EventReference]
    private let then: [EventReference]

    init(_ fields: Fields) throws(ScenarioError) {
        first = try fields.events("first")
        then = try fields.events("then")
        if let both = first.first(where: then.contains) {
            throw fields.error("then", "`\(both)` is on both sides; an event cannot come before itself")
        }
    }

    var neededEvents: Set<String> { Set((first + then).map(\.name)) }
    var needs: Set<Capability> { (first + then).reduce(into: []) { $0.formUnion($1.needs) } }

    func judge(_ record: RecordView) -> [Mismatch] {
        let expected =
            first.map(\.description).joined(separator: ", ") + " before "
            + then.map(\.description).joined(separator: ", ")
        for event in first + then where record.moments(of: event).isEmpty {
            return mismatch(expected: expected, found: "no \(event)")
        }
        let early = then.compactMap { event in record.first(event).map { (event, $0) } }.min { $0.1 < $1.1 }
        let late = first.compactMap { event in record.moments(of: event).last.map { (event, $0) } }.max { $0.1 < $1.1 }
        guard let early, let late, early.1 < late.1 else { return [] }
        return mismatch(expected: expected, found: "\(early.0) before \(late.0)", evidence: [early.1, late.1])
    }
}
