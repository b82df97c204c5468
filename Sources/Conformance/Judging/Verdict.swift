package import Record

/// The result of judging a run: its outcome and the findings of each invariant and check.
package struct Verdict: Hashable, Sendable {
    /// One invariant or check with its mismatches.
    package struct Finding: Hashable, Sendable {
        /// The check's key or the invariant's name.
        package var name: String
        /// Line of the scenario file; nil for an invariant.
        package var line: Int?
        package var summary: String
        package var mismatches: [Mismatch]
        /// The content coding that the client did not offer to decode, although the check judges the decoded body.
        package var unofferedCoding: String?
        package var passed: Bool { mismatches.isEmpty }
    }

    package var outcome: Outcome
    /// True if the outcome is an error because the machine was too slow for a check of time, so that another run can
    /// decide.
    package var isTooSlow = false
    /// Empty if nothing was judged (error, unsupported); for a run that was cut short, the findings up to that point.
    package var invariants: [Finding]
    package var checks: [Finding]
    /// The checks that were left out, in the order of the file.
    package var notJudged: [NotJudged] = []

    package var mismatches: [Mismatch] { (invariants + checks).flatMap(\.mismatches) }
}
