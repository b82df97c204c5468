/// How one scenario ended. Nobody edits it afterwards.
package enum Outcome: Hashable, Sendable {
    case pass
    /// The implementation is wrong.
    case fail(FailureKind, [Mismatch])
    /// The adapter said so before trying.
    case unsupported(String)
    /// A scenario this one depends on did not pass.
    case skipped(after: String)
    /// Our fault or the machine's.
    case error(String)

    package enum FailureKind: String, CaseIterable, Hashable, Sendable {
        case wrong, crash, hang, flood
        /// The adapter broke the protocol.
        case violation
    }

    package var word: String {
        switch self {
        case .pass: "pass"
        case .fail: "fail"
        case .unsupported: "unsupported"
        case .skipped: "skipped"
        case .error: "error"
        }
    }
}

/// One thing that was not as expected, with the evidence.
package struct Mismatch: Hashable, Sendable {
    /// The check's key or the invariant's name.
    package var check: String
    /// Line of the scenario file; nil for an invariant.
    package var line: Int?
    package var expected: String
    package var found: String
    /// Indexes of the record entries that show it, in order.
    package var evidence: [Int]
    package init(check: String, line: Int? = nil, expected: String, found: String, evidence: [Int] = []) {
        self.check = check
        self.line = line
        self.expected = expected
        self.found = found
        self.evidence = evidence
    }
}
