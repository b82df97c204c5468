/// The comparison of all results of a run with the baseline of its adapter.
package struct BaselineComparison: Sendable {
    package enum UnexpectedOutcome: Hashable, Sendable {
        /// Failed without being listed.
        case failure
        /// Passed although a line lists a different outcome.
        case pass(reason: String)
        /// Ended with a different outcome than its line lists.
        case otherwise(listed: String)
        /// A fault of the harness or the machine; always red, whatever the baseline lists.
        case error
        /// Repetitions of one scenario had different outcomes, so none of them is reliable.
        case unsteady(outcomes: [String])
    }

    package struct Unexpected: Sendable {
        package var result: RunResult
        package var unexpected: UnexpectedOutcome
    }

    package var unexpected: [Unexpected] = []
    /// Lines without a matching scenario: reported, but they do not affect the exit status.
    package var stale: [Baseline.Line] = []

    package var unexpectedFailures: [RunResult] { unexpected.filter { $0.unexpected == .failure }.map(\.result) }
    package var unexpectedPasses: [RunResult] {
        unexpected.filter { if case .pass = $0.unexpected { true } else { false } }.map(\.result)
    }

    /// 0 if every outcome was as expected, otherwise 1.
    package var exitStatus: Int32 { unexpected.isEmpty ? 0 : 1 }
}

extension Baseline {
    /// Compares results with the baseline. `scenarios` holds the ids of all existing scenarios, so that a line is not
    /// stale because a run selected others; nil: the scenarios of the results.
    package func compare(_ results: [RunResult], among scenarios: Set<String>? = nil) -> BaselineComparison {
        var comparison = BaselineComparison()
        for result in results {
            if let surprise = unexpected(of: result) {
                comparison.unexpected.append(.init(result: result, unexpected: surprise))
            }
        }
        for group in Dictionary(grouping: results, by: { RunKey($0.header) }).values {
            let group = group.sorted { $0.header.repetition < $1.header.repetition }
            let outcomes = group.map(\.outcome.kindOrName)
            if let first = group.first, Set(outcomes).count > 1 {
                comparison.unexpected.append(.init(result: first, unexpected: .unsteady(outcomes: outcomes)))
            }
        }
        comparison.stale = stale(among: scenarios ?? Set(results.map(\.header.scenario)))
        return comparison
    }

    private func unexpected(of result: RunResult) -> BaselineComparison.UnexpectedOutcome? {
        switch (result.outcome, status(of: result)) {
        case (.error, _): .error
        // Not judged, because a scenario that this one depends on did not pass; that one is reported.
        case (.skipped, _): nil
        case (_, .expected): nil
        case (_, .unexpectedPass(let reason)): .pass(reason: reason)
        case (_, .otherwise(let listed)): .otherwise(listed: listed)
        case (.fail, .unlisted): .failure
        case (.pass, .unlisted), (.unsupported, .unlisted): nil
        }
    }

    /// The properties that repetitions share.
    private struct RunKey: Hashable {
        var scenario: String
        var adapter: String
        var engine: String
        init(_ header: RunHeader) {
            scenario = header.scenario
            adapter = header.adapter
            engine = header.engine
        }
    }
}

extension Outcome {
    fileprivate var kindOrName: String { kindName.map { "fail (\($0))" } ?? word }
}
