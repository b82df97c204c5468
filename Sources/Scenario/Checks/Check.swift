package import AdapterProtocol

/// A predicate over the record that a scenario names.
package protocol Check: Sendable {
    /// The check's key under `expect:`.
    static var key: String { get }
    /// One sentence for the schema and for `explain`.
    static var summary: String { get }
    /// The fields; the reader refuses others, and the schema is made from the same list.
    static var shape: Shape { get }
    init(_ fields: Fields) throws(ScenarioError)
    /// Returns the mismatches; empty if the check holds.
    func judge(_ record: RecordView) -> [Mismatch]
    /// The capabilities without which the check would be meaningless.
    var needs: Set<Capability> { get }
    /// Returns the reason that the check can never hold in this scenario, whatever the implementation does; nil if it
    /// can. It is reported as an error in the scenario, not as a failure.
    func problem(in scenario: Scenario) -> String?
}
