import Conformance
import Foundation
package import Lab
package import LinkEngines
import Record
package import ScenarioLanguage

/// Runs the proposals of a `Shrinker` and keeps those that fail in the same way as the whole scenario.
package final class ShrinkRun {
    package struct Result: Sendable {
        package let reason: FailureReason
        package let file: String
        package let runs: Int
        /// False when the number of runs was used up, or after a stop.
        package let isSmallest: Bool
    }

    private let scenario: Scenario
    private let text: String
    private let settings: Settings
    private var runs = 0

    package struct Settings: Sendable {
        package var adapter: AdapterChoice
        package var engine: EngineChoice
        package var seed: UInt64
        package var out: String
        package var requirements: Set<String>
        package var mostRuns: Int
        package var stop: StopSignal
        package init(
            adapter: AdapterChoice, engine: EngineChoice, seed: UInt64, out: String, requirements: Set<String>,
            mostRuns: Int, stop: StopSignal
        ) {
            self.adapter = adapter
            self.engine = engine
            self.seed = seed
            self.out = out
            self.requirements = requirements
            self.mostRuns = mostRuns
            self.stop = stop
        }
    }

    package init(_ scenario: Scenario, text: String, settings: Settings) {
        self.scenario = scenario
        self.text = text
        self.settings = settings
    }

    /// - Parameter observer: called after each run with the number of runs and the size of the smallest file so far.
    package func run(observer: (_ runs: Int, _ bytes: Int) -> Void) throws -> Result {
        var shrinker = try Shrinker(text: text)
        var smallest = try shrinker.text
        guard let whole = parse(smallest) else {
            throw SweepError.unusable("the scenario cannot be written and read again")
        }
        let wholeOutcome = try outcome(of: whole)
        guard case .fail(let kind, let mismatches) = wholeOutcome else {
            throw SweepError.doesNotFail(wholeOutcome.reason)
        }
        let reason = FailureReason(kind, mismatches)
        var isSmallest = true
        while let proposal = try shrinker.next() {
            guard let candidate = parse(proposal) else { continue }
            if runs >= settings.mostRuns || settings.stop.isRaised {
                isSmallest = false
                break
            }
            if try fails(candidate, like: reason) {
                shrinker.accept()
                smallest = proposal
            }
            observer(runs, smallest.utf8.count)
        }
        let file = self.file
        try ArtifactDirectory(path: settings.out).write(smallest, to: file)
        return Result(reason: reason, file: file, runs: runs, isSmallest: isSmallest)
    }

    /// The path keeps the scenario's id, on which its random decisions depend.
    private var file: String { "\(settings.out)/Scenarios/\(scenario.id).yaml" }

    private func parse(_ text: String) -> Scenario? {
        try? ScenarioReader.read(file: file, text: text, requirements: settings.requirements).get()
    }

    private func fails(_ candidate: Scenario, like reason: FailureReason) throws(HarnessError) -> Bool {
        guard case .fail(let kind, let mismatches) = try outcome(of: candidate) else { return false }
        return mismatches.contains { FailureReason(kind, [$0]).isLike(reason) }
    }

    private func outcome(of scenario: Scenario) throws(HarnessError) -> Outcome {
        runs += 1
        let out = "\(settings.out)/runs/\(runs)"
        defer { try? FileManager.default.removeItem(atPath: out) }
        var alone = scenario
        alone.after = nil
        let suite = try SuiteRun(
            scenarios: [alone], adapter: settings.adapter, engine: settings.engine, seed: settings.seed, out: out,
            keepsEverything: false, repetitions: 1, jobs: 1, stop: settings.stop, observer: { _ in })
        return try suite.run().first?.outcome ?? .error("it was not run")
    }
}
