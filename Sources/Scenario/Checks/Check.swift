package import AdapterProtocol

/// A predicate over the record that a scenario names.
package protocol Check: Sendable {
    /// The key under `expect:`.
    static var key: String { get }
    /// One sentence for the schema and for `explain`.
    static var summary: String { get }
    /// Its fields; the reader refuses others, the schema is made from the same list.
    static var shape: Shape { get }
    init(_ fields: Fields) throws(ScenarioError)
    /// Empty when it holds.
    func judge(_ record: RecordView) -> [Mismatch]
    /// What the implementation must offer for the check to make sense.
    var needs: Set<Capability> { get }
    /// Why the check can never hold in this scenario, whatever the implementation does; nil when it can. Its author is told, nobody
    /// else is blamed.
    func problem(in scenario: Scenario) -> String?
}
