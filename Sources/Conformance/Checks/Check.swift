package import Record
package import AdapterProtocol
package import ScenarioLanguage

/// A predicate over the record that a scenario names.
package protocol Check: WrittenCheck {
    /// Returns the task whose decoding the check judges: a body in a coding that the client did not offer to decode proves
    /// nothing.
    func decodedTask(_ record: RecordView) -> TaskName?
    /// Returns the mismatches; empty if the check holds.
    func judge(_ record: RecordView) -> [Mismatch]
}

extension Check {
    package func decodedTask(_ record: RecordView) -> TaskName? { nil }
}
