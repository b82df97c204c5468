package import Record
package import ScenarioLanguage

/// A predicate over the record that a scenario names.
package protocol Check: WrittenCheck {
    /// Returns the mismatches; empty if the check holds.
    func judge(_ record: RecordView) -> [Mismatch]
}
