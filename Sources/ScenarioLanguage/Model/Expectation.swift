package import AdapterProtocol
package import Record

/// A check as written in the file, with its position for messages.
package struct Expectation: Sendable {
    package var check: any WrittenCheck
    package var line: Int
    /// The basis that the file gives for this check, where it differs from the scenario's.
    package var basis: Basis?
    package init(check: any WrittenCheck, line: Int, basis: Basis? = nil) {
        self.check = check
        self.line = line
        self.basis = basis
    }
}

extension Scenario {
    /// Returns the basis because of which the profile does not ask for this expectation; nil if it asks for it.
    package func basis(of expectation: Expectation, outside profile: ClientProfile) -> Basis? {
        let fixed = expectation.basis ?? type(of: expectation.check).basis
        if let fixed { return profile.asks(fixed) ? nil : fixed }
        return profile.asks(anyOf: bases) ? nil : Basis.main(of: bases)
    }

    /// Returns true if the profile asks for any of the scenario's expectations.
    package func isAsked(by profile: ClientProfile) -> Bool {
        expectations.isEmpty
            ? profile.asks(anyOf: bases) : expectations.contains { basis(of: $0, outside: profile) == nil }
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
    /// The basis of every check of this kind, if it does not follow from the scenario.
    static var basis: Basis? { get }
    init(_ fields: Fields) throws(ScenarioError)
    /// The task that the check expects to succeed.
    var succeedingTask: TaskName? { get }
    /// The events without which the check proves nothing; it is not judged for a client that cannot report them all.
    var neededEvents: Set<String> { get }
    /// The capabilities without which the check would be meaningless.
    var needs: Set<Capability> { get }
    /// Returns the capabilities that the check needs in this scenario; they include `needs`.
    func needs(in scenario: Scenario) -> Set<Capability>
    /// Returns the reason that the check can never hold in this scenario, whatever the implementation does; nil if it
    /// can. It is reported as an error in the scenario, not as a failure.
    func problem(in scenario: Scenario) -> String?
}

extension WrittenCheck {
    package static var basis: Basis? { nil }
    package var neededEvents: Set<String> { [] }
    /// The needed events of a check that is about an adapter. Every adapter reports this event; a program that runs
    /// without one does not.
    package static var eventsOfEveryAdapter: Set<String> { [TaskEventName.didComplete.rawValue] }
    package var succeedingTask: TaskName? { nil }
    package var needs: Set<Capability> { [] }
    package func needs(in scenario: Scenario) -> Set<Capability> { needs }
    package func problem(in scenario: Scenario) -> String? { nil }
}
