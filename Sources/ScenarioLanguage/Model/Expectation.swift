package import AdapterProtocol

/// A check as written in the file, with its position for messages.
package struct Expectation: Sendable {
    package var check: any WrittenCheck
    package var line: Int
    package init(check: any WrittenCheck, line: Int) {
        self.check = check
        self.line = line
    }
}

/// A check as the language knows it: its words, and what follows from them before a run. The reader gets the list of
/// these types as a parameter, and does not know how a check is judged.
package protocol WrittenCheck: Sendable {
    /// The check's key under `expect:`.
    static var key: String { get }
    /// One sentence for the schema and for `explain`.
    static var summary: String { get }
    /// The fields; the reader refuses others, and the schema is made from the same list.
    static var shape: Shape { get }
    init(_ fields: Fields) throws(ScenarioError)
    /// The capabilities without which the check would be meaningless.
    var needs: Set<Capability> { get }
    /// Returns the reason that the check can never hold in this scenario, whatever the implementation does; nil if it
    /// can. It is reported as an error in the scenario, not as a failure.
    func problem(in scenario: Scenario) -> String?
}

extension WrittenCheck {
    package var needs: Set<Capability> { [] }
    package func problem(in scenario: Scenario) -> String? { nil }
}
