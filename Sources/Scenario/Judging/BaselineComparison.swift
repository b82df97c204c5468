/// What a whole run of scenarios was against what its adapter's baseline says.
package struct BaselineComparison: Sendable {
    package enum UnexpectedOutcome: Hashable, Sendable {
        /// Failed, and no line says that it does.
        case failure
        /// Passed, although a line says otherwise.
        case pass(reason: String)
        /// Ended otherwise than its line says.
        case otherwise(listed: String)
        /// Our fault or the machine's: red on its own, whatever the baseline says.
        case error
        /// Repetitions of one scenario did not end alike; every line and every outcome is suspect then.
        case unsteady(outcomes: [String])
    }

    package struct Unexpected: Sendable {
        package var result: RunResult
        package var unexpected: UnexpectedOutcome
    }

    package var unexpected: [Unexpected] = []
    /// Lines that name no scenario: reported, but no outcome.
    package var stale: [Baseline.Line] = []

    package var unexpectedFailures: [RunResult] { unexpected.filter { $0.unexpected == .failure }.map(\.result) }
    package var unexpectedPasses: [RunResult] {
        unexpected.filter { if case .pass = $0.unexpected { true } else { false } }.map(\.result)
    }

    /// 0: everything ended as expected, 1: something did not.
    package var exitStatus: Int32 { unexpected.isEmpty ? 0 : 1 }
}

extension Baseline {
    /// `scenarios`: the ids of all there are, so that a line is not stale because a run selected others; nil: those of the results.
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
        // Nothing was judged, because another scenario did not pass; that one answers for it.
        case (.skipped, _): nil
        case (_, .expected): nil
        case (_, .unexpectedPass(let reason)): .pass(reason: reason)
        case (_, .otherwise(let listed)): .otherwise(listed: listed)
        case (.fail, .unlisted): .failure
        case (.pass, .unlisted), (.unsupported, .unlisted): nil
        }
    }

    /// What repetitions have in common.
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
