package import Record
package import AdapterProtocol
package import ScenarioLanguage

/// A predicate over the record that a scenario names.
package protocol Check: WrittenCheck {
    /// The task whose decoded body the check judges: a body in a coding that the client did not offer to decode proves
    /// nothing.
    var decodedTask: TaskName? { get }
    /// Returns the mismatches; empty if the check holds.
    func judge(_ record: RecordView) -> [Mismatch]
}

extension Check {
    package var decodedTask: TaskName? { nil }
}
