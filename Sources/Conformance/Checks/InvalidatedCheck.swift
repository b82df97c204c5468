import Record
import ScenarioLanguage
import AdapterProtocol

/// A session reports exactly once that it became invalid (INVL-02, INVL-03).
struct InvalidatedCheck: Check {
    static let key = "invalidated"
    static let basis: Basis? = .urlsession
    static let summary =
        "The session reports exactly once that it became invalid, without an error unless one is given."
    static let shape = Shape.object(
        [Field("session", .text, required: true, "The session; default `main` if the scenario has only one.")]
            + ErrorExpectation.fields)

    private let session: SessionName
    private let error: ErrorExpectation

    init(_ fields: Fields) throws(ScenarioError) {
        session = SessionName(try fields.need("session"))
        error = try ErrorExpectation(fields)
    }

    var neededEvents: Set<String> { ["didBecomeInvalid"] }
    var needs: Set<Capability> { [.invalidate] }

    func problem(in scenario: Scenario) -> String? {
        let names = scenario.sessions.map(\.name.text)
        return names.contains(session.text)
            ? nil
            : "the scenario does not create a session `\(session.text.shortened)`\(Spelling.hint(for: session.text, among: names))"
    }

    func judge(_ record: RecordView) -> [Mismatch] {
        let found = record.invalidations(of: session)
        guard let first = found.first, found.count == 1 else {
            return mismatch(
                expected: "\(session).didBecomeInvalid exactly once", found: counted(found.count, "time"),
                evidence: found.prefix(5).map(\.moment))
        }
        // A session that ends at the client's request must not report an error (INVL-02).
        guard error.isOpen ? first.failure != nil : !error.matches(first.failure, by: .codes) else { return [] }
        return mismatch(
            expected: "\(session).didBecomeInvalid with \(error.isOpen ? "no error" : error.description)",
            found: ErrorExpectation.description(first.failure),
            evidence: [first.moment])
    }
}
