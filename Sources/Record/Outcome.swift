/// The outcome of one scenario. It is never changed afterwards.
package enum Outcome: Hashable, Sendable {
    case pass
    /// The implementation is wrong.
    case fail(FailureKind, [Mismatch])
    /// The adapter reported in advance that it does not support a required feature.
    case unsupported(String)
    /// A scenario this one depends on did not pass.
    case skipped(after: String)
    /// A fault of the harness or the machine.
    case error(String)

    package enum FailureKind: String, CaseIterable, Hashable, Sendable {
        case wrong, crash, hang, flood
        /// The adapter violated the protocol.
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

/// One difference from the expectation, with its evidence.
package struct Mismatch: Hashable, Sendable {
    /// The check's key or the invariant's name.
    package var check: String
    /// Line of the scenario file; nil for an invariant.
    package var line: Int?
    package var expected: String
    package var found: String
    /// Indexes of the record entries that are the evidence, in order.
    package var evidence: [Int]
    /// True if a machine that was too slow may have caused it; a failure of bytes, headers, counts or order is not.
    package var dependsOnTime: Bool
    package init(
        check: String, line: Int? = nil, expected: String, found: String, evidence: [Int] = [],
        dependsOnTime: Bool = false
    ) {
        self.check = check
        self.line = line
        self.expected = expected
        self.found = found
        self.evidence = evidence
        self.dependsOnTime = dependsOnTime
    }
}
