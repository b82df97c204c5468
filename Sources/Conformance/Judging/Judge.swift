import AdapterProtocol
package import Record
package import ScenarioLanguage

/// Determines the outcome of a run from its record alone.
package enum Judge {
    package static func outcome(
        scenario: Scenario, entries: [RecordEntry], baseline: Baseline = .empty, profile: ClientProfile = .urlsession
    ) -> Outcome {
        verdict(scenario: scenario, entries: entries, baseline: baseline, profile: profile).outcome
    }

    /// Judges a run in this order: faults that are not the implementation's (error), missing features (unsupported),
    /// abnormal endings (flood, crash, violation, hang), and only then the correctness of its behaviour.
    ///
    /// - Parameters:
    ///   - baseline: a failure that it lists is expected, so a busy machine does not turn it into an error.
    ///   - profile: the expectations that are asked; the others are not judged.
    package static func verdict(
        scenario: Scenario, entries: [RecordEntry], baseline: Baseline = .empty, profile: ClientProfile = .urlsession
    ) -> Verdict {
        if let problem = problem(in: scenario) { return Verdict(outcome: .error(problem), invariants: [], checks: []) }
        let record = RecordView(scenario: scenario, entries: entries, profile: profile)
        let ending = RunEnding(record)
        if let fault = ending.fault { return Verdict(outcome: .error(fault), invariants: [], checks: []) }
        let invariants = InvariantCatalogue.all.map { invariant in
            Verdict.Finding(
                name: invariant.name, line: nil, summary: invariant.summary, mismatches: invariant.judge(record))
        }
        if let feature = ending.unsupported {
            // Excuses what could not be tried, but not what went wrong before.
            let violated = invariants.filter { $0.name != OneCompletion.name }.flatMap(\.mismatches)
            let outcome = violated.isEmpty ? Outcome.unsupported(feature) : .fail(.wrong, violated)
            return Verdict(outcome: outcome, invariants: violated.isEmpty ? [] : invariants, checks: [])
        }
        var checks: [Verdict.Finding] = []
        var notJudged: [NotJudged] = []
        for expectation in scenario.expectations {
            guard let check = expectation.check as? any Check else { continue }
            if let reason = reasonToLeaveOut(expectation, record) {
                notJudged.append(NotJudged(check: type(of: check).key, line: expectation.line, reason: reason))
            } else {
                checks.append(finding(check, line: expectation.line, record))
            }
        }
        var verdict = Verdict(outcome: .pass, invariants: invariants, checks: checks, notJudged: notJudged)
        verdict.outcome = outcome(ending, verdict)
        if verdict.outcome == .pass, checks.isEmpty, let first = notJudged.first {
            verdict.outcome = .unsupported("nothing to judge: \(first.summary)")
        }
        if baseline.lists(verdict.outcome, of: scenario.id) { return verdict }
        if let coding = undecodable(verdict) {
            verdict.outcome = .unsupported("the client does not offer to decode \(coding) (Accept-Encoding)")
        } else if let cause = excuse(ending, verdict, record) {
            verdict.outcome = .error(cause)
            verdict.isTooSlow = true
        }
        return verdict
    }

    /// Returns the reason that an expectation is not judged; nil if it is.
    private static func reasonToLeaveOut(_ expectation: Expectation, _ record: RecordView) -> NotJudged.Reason? {
        if let basis = record.scenario.basis(of: expectation, outside: record.profile) {
            return .outside(record.profile, basis)
        }
        let missing = expectation.check.neededEvents.filter { record.reports?.contains($0) == false }
        return missing.isEmpty ? nil : .unreported(missing.sorted())
    }

    /// Returns the coding that the client did not offer to decode, if nothing else failed than decoded bodies.
    private static func undecodable(_ verdict: Verdict) -> String? {
        guard case .fail(.wrong, let mismatches) = verdict.outcome else { return nil }
        let failed = verdict.checks.filter { !$0.passed }
        guard failed.reduce(0, { $0 + $1.mismatches.count }) == mismatches.count,
            failed.allSatisfy({ $0.unofferedCoding != nil })
        else { return nil }
        return failed.first?.unofferedCoding
    }

    /// Returns the reason for which a slow machine may have caused the failure, which then is an error and stays red;
    /// nil if the machine was fast enough, or if anything failed that does not depend on time.
    ///
    /// A run that was ended at its timeout misses everything after that, so its checks prove nothing; but invariants
    /// hold at every moment.
    private static func excuse(_ ending: RunEnding, _ verdict: Verdict, _ record: RecordView) -> String? {
        let isLate = { (note: Note) in if case .conditionNotKept = note { true } else { false } }
        guard let note = record.notes.map(\.note).first(where: isLate) else { return nil }
        switch verdict.outcome {
        case .fail(.wrong, let mismatches), .fail(.hang, let mismatches):
            let isOfTime =
                ending.isCutShort
                ? verdict.invariants.allSatisfy { $0.passed || $0.mismatches == OneCompletion.unfinished(record) }
                : mismatches.allSatisfy(\.dependsOnTime)
            guard isOfTime else { return nil }
            let failed = mismatches.first.map {
                "; what failed was \($0.check): expected \($0.expected), found \($0.found)"
            }
            return note.text + (failed ?? "")
        case .fail(.crash, _), .fail(.flood, _), .fail(.violation, _), .pass, .unsupported, .skipped, .error: return nil
        }
    }

    private static func outcome(_ ending: RunEnding, _ verdict: Verdict) -> Outcome {
        if let (kind, mismatches) = ending.breakOff { return .fail(kind, mismatches) }
        // The harness applies the timeline until the timeout; in a record that ends differently, a missing event must
        // still be found.
        if !ending.unfinished.isEmpty {
            return .fail(.hang, ending.unfinished + verdict.mismatches.filter { !ending.unfinished.contains($0) })
        }
        let wrong = ending.stuck + verdict.mismatches
        return wrong.isEmpty ? .pass : .fail(.wrong, wrong)
    }

    private static func finding(_ check: any Check, line: Int, _ record: RecordView) -> Verdict.Finding {
        let type = type(of: check)
        let mismatches = check.judge(record).map { mismatch in
            var placed = mismatch
            placed.line = line
            if let misuse = record.scenario.misuse(of: check.namedTasks) { placed.found += "; \(misuse)" }
            return placed
        }
        return Verdict.Finding(
            name: type.key, line: line, summary: type.summary, mismatches: mismatches,
            unofferedCoding: check.decodedTask(record).flatMap(record.unofferedCoding))
    }

    /// Returns the reason that a check can never hold, which is an error of the scenario and not of the implementation.
    private static func problem(in scenario: Scenario) -> String? {
        for expectation in scenario.expectations {
            // Only a scenario that was read with other checks than the catalogue's has one that cannot be judged.
            let unknown = expectation.check is any Check ? nil : "this check cannot be judged"
            if let problem = unknown ?? expectation.check.problem(in: scenario) {
                return "\(scenario.file):\(expectation.line): \(type(of: expectation.check).key): \(problem)"
            }
        }
        return nil
    }
}
