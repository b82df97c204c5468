import Foundation
package import Lab
import NetworkMonitor
import Record
package import ScenarioLanguage
package import Conformance
package import LinkEngines
import Synchronization

/// Progress events of a mutant run, for display.
package enum MutantsEvent: Sendable {
    /// The control run of the unmodified session, with all scenarios that are needed.
    case controlBegan(scenarios: Int)
    case controlEnded([RunResult])
    case judged(MutantVerdict)
}

/// Runs each mutant against the scenarios that claim to detect its fault. The unmodified session runs before, because a
/// scenario that it does not pass proves nothing.
package final class MutantsRun: Sendable {
    private struct State {
        var waiting: [Mutant]
        var verdicts: [String: MutantVerdict] = [:]
        /// Mutants without a verdict because of an error, such as a machine that was too slow for all that ran at once.
        var crowdedOut: Set<String> = []
        var failure: HarnessError?
    }

    /// The folder with the evidence of the correct session.
    static let controlFolder = "control"

    private let mutants: [Mutant]
    private let scenarios: [Scenario]
    private let adapter: AdapterChoice
    private let engine: EngineChoice
    private let seed: UInt64
    private let out: String
    private let jobs: Int
    private let isExhaustive: Bool
    private let control: ControlResults?
    private let stopSignal: StopSignal
    private let observer: @Sendable (MutantsEvent) -> Void
    private let state: Mutex<State>

    /// - Parameters:
    /// - jobs: the number of scenarios that run at once; nil means 8 for each core, because scenarios mostly wait.
    /// - isExhaustive: each mutant runs all scenarios that claim its fault; otherwise it stops at the first that
    ///   catches it.
    /// - control: results of the unmodified session from an earlier run; scenarios that it lacks run first.
    package init(
        mutants: [Mutant], scenarios: [Scenario], adapter: AdapterChoice, engine: EngineChoice, seed: UInt64,
        out: String, jobs: Int?,
        isExhaustive: Bool, control: ControlResults?, stop: StopSignal,
        observer: @escaping @Sendable (MutantsEvent) -> Void
    ) {
        self.mutants = mutants
        // Dependencies between scenarios are removed, because a mutant runs only the scenarios that claim its fault.
        self.scenarios = scenarios.map { scenario in
            var alone = scenario
            alone.after = nil
            return alone
        }
        self.adapter = adapter
        self.engine = engine
        self.seed = seed
        self.out = out
        self.jobs = jobs ?? ProcessInfo.processInfo.activeProcessorCount * 8
        self.isExhaustive = isExhaustive
        self.control = control
        stopSignal = stop
        self.observer = observer
        state = Mutex(State(waiting: mutants.reversed()))
    }

    /// Returns the verdicts in the order of the mutants.
    package func run() throws(HarnessError) -> [MutantVerdict] {
        let control = try completedControl()
        // Each of these threads mostly waits for its own scenarios.
        let workers = max(1, min(jobs / 2, mutants.count))
        do throws(SystemCallError) {
            var threads: [DedicatedThread] = []
            for _ in 0..<workers {
                threads.append(try DedicatedThread(name: "cw-mutants") { self.work(control) })
            }
            threads.removeAll()  // Waits for all of them.
        } catch {
            throw .machine("cannot start a thread: \(error)", fix: "lower --jobs")
        }
        try judgeAlone(control)
        return try state.withLock { state throws(HarnessError) in
            if let failure = state.failure { throw failure }
            return mutants.compactMap { state.verdicts[$0.name] }
        }
    }

    private func completedControl() throws(HarnessError) -> ControlResults {
        var control = control ?? ControlResults([])
        let needed = scenarios.filter { scenario in
            !control.scenarios.contains(scenario.id)
                && mutants.contains { !$0.scenarios(among: [scenario]).isEmpty }
        }
        if needed.isEmpty { return control }
        observer(.controlBegan(scenarios: needed.count))
        let results = try play(needed, adapter, folder: MutantsRun.controlFolder, jobs: jobs, endsAtFailure: false)
        observer(.controlEnded(results))
        control.merge(ControlResults(results))
        return control
    }

    private func work(_ control: ControlResults) {
        while !stopSignal.isRaised,
            let mutant = state.withLock({ $0.failure != nil ? nil : $0.waiting.popLast() })
        {
            do throws(HarnessError) {
                let verdict = try judge(mutant, control, folder: mutant.name, jobs: 2)
                // The outcomes of a stopped suite are not complete.
                if stopSignal.isRaised { return }
                if verdict.endedWithError {
                    state.withLock { _ = $0.crowdedOut.insert(mutant.name) }
                } else {
                    finish(verdict)
                }
            } catch {
                state.withLock { $0.failure = error }
                return
            }
        }
    }

    /// Judges the mutants that ended with an error again, one after another: a suite repeats a run alone, but other
    /// mutants ran beside this suite.
    private func judgeAlone(_ control: ControlResults) throws(HarnessError) {
        let (crowdedOut, failure) = state.withLock { ($0.crowdedOut, $0.failure) }
        guard failure == nil else { return }
        for mutant in mutants where crowdedOut.contains(mutant.name) && !stopSignal.isRaised {
            let verdict = try judge(mutant, control, folder: "\(mutant.name)-alone", jobs: 1)
            if !stopSignal.isRaised { finish(verdict) }
        }
    }

    private func finish(_ verdict: MutantVerdict) {
        state.withLock { $0.verdicts[verdict.mutant.name] = verdict }
        observer(.judged(verdict))
    }

    private func judge(_ mutant: Mutant, _ control: ControlResults, folder: String, jobs: Int) throws(HarnessError)
        -> MutantVerdict
    {
        // Scenarios that the unmodified session does not pass cannot catch a mutant and are not run.
        let claimed = mutant.scenarios(among: scenarios)
        let useful = claimed.compactMap { scenario in control.passed[scenario.id].map { (scenario, $0) } }
            .sorted { ($0.1, $0.0.id) < ($1.1, $1.0.id) }
            .map(\.0)
        var found: [String: Outcome] = [:]
        for scenario in claimed { found[scenario.id] = .skipped(after: scenario.id) }
        let results = try play(
            useful, adapter.asMutant(mutant), folder: folder, jobs: jobs, endsAtFailure: !isExhaustive)
        found.merge(outcomes(of: results)) { $1 }
        return MutantVerdict(mutant, control: control.outcomes, outcomes: found)
    }

    private func play(
        _ scenarios: [Scenario], _ adapter: AdapterChoice, folder: String, jobs: Int, endsAtFailure: Bool
    ) throws(HarnessError) -> [RunResult] {
        guard !scenarios.isEmpty else { return [] }
        let suite = try SuiteRun(
            scenarios: scenarios, adapter: adapter, engine: engine, seed: seed, out: "\(out)/\(folder)",
            keepsEverything: false,
            repetitions: 1, jobs: jobs, endsAtFailure: endsAtFailure, stop: stopSignal, observer: { _ in })
        return try suite.run()
    }

    private func outcomes(of results: [RunResult]) -> [String: Outcome] {
        Dictionary(results.map { ($0.header.scenario, $0.outcome) }) { $1 }
    }
}
