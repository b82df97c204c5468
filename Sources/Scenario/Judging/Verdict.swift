/// Everything that judging a run found: its outcome, and what each invariant and check says.
package struct Verdict: Hashable, Sendable {
    /// One invariant or check with what it found wrong.
    package struct Finding: Hashable, Sendable {
        /// The check's key or the invariant's name.
        package var name: String
        /// Line of the scenario file; nil for an invariant.
        package var line: Int?
        package var summary: String
        package var mismatches: [Mismatch]
        package var passed: Bool { mismatches.isEmpty }
    }

    package var outcome: Outcome
    /// Empty when there was nothing to judge (error, unsupported); of a run that was cut short these say what was seen until then.
    package var invariants: [Finding]
    package var checks: [Finding]

    package var mismatches: [Mismatch] { (invariants + checks).flatMap(\.mismatches) }
}
