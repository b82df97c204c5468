import Conformance
import Foundation
package import Lab
package import LinkEngines
import Record
package import ScenarioLanguage
import Synchronization

/// Progress of a sweep, for display.
package enum SweepEvent: Sendable {
    /// The runs without faults are done, and this number of cases follows.
    case planned(cases: Int)
    case finished(SweptCase)
    /// The scenario cannot be swept, for this reason.
    case leftOut(scenario: String, reason: String)
}

/// Runs scenarios once without faults, and then once for each fault at each of the points that those runs show.
package final class SweepRun: Sendable {
    private let scenarios: [(scenario: Scenario, text: String)]
    private let plan: SweepPlan
    private let adapter: AdapterChoice
    private let engine: EngineChoice
    private let jobs: Int?
    private let out: String
    private let requirements: Set<String>
    private let stopSignal: StopSignal
    private let observer: @Sendable (SweepEvent) -> Void

    /// The number of cases that are held in memory at once. Every batch ends with a time in which only its slowest cases
    /// run, so it is large and holds cases of every base.
    private static let batch = 2_000
    /// The number of records that are kept of failures of one kind; their scenario files are all kept.
    private static let recordsOfAKind = 5

    private struct State {
        var finished: [SweptCase] = []
        var kept: [String: Int] = [:]
        var failure: HarnessError?
    }
    private let state = Mutex(State())

    /// - Parameter observer: called on the runs' threads.
    package init(
        scenarios: [(scenario: Scenario, text: String)], plan: SweepPlan, adapter: AdapterChoice, engine: EngineChoice,
        jobs: Int?, out: String, requirements: Set<String>, stop: StopSignal = StopSignal(),
        observer: @escaping @Sendable (SweepEvent) -> Void
    ) {
        self.scenarios = scenarios
        self.plan = plan
        self.adapter = adapter
        self.engine = engine
        self.jobs = jobs
        self.out = out
        self.requirements = requirements
        stopSignal = stop
        self.observer = observer
    }

    /// Returns the finished cases in the order of their names. A failure of the machine, or a stop, ends the sweep early;
    /// the cases that were finished are returned all the same.
    package func run() throws -> (cases: [SweptCase], failure: HarnessError?) {
        let cases = try plannedCases()
        observer(.planned(cases: cases.reduce(0) { $0 + $1.cases.count }))
        do throws(HarnessError) {
            let all = (0..<(cases.map(\.cases.count).max() ?? 0)).flatMap { index in
                cases.compactMap { base, cases in index < cases.count ? (base: base, item: cases[index]) : nil }
            }
            for start in stride(from: 0, to: all.count, by: Self.batch) where !stopSignal.isRaised {
                try run(all[start..<min(start + Self.batch, all.count)])
            }
        } catch { state.withLock { $0.failure = $0.failure ?? error } }
        return state.withLock { state in
            (state.finished.sorted { $0.sweepCase.id < $1.sweepCase.id }, state.failure)
        }
    }

    // MARK: - Runs without faults

    private func plannedCases() throws -> [(base: SweepBase, cases: [SweepCase])] {
        var bases: [SweepBase] = []
        var reasons: [String] = []
        func leaveOut(_ scenario: String, _ reason: String) {
            reasons.append("\(scenario): \(reason)")
            observer(.leftOut(scenario: scenario, reason: reason))
        }
        var files: [Scenario] = []
        for (scenario, text) in scenarios {
            var controls: [(scenario: Scenario, text: String)] = []
            do throws(SweepError) {
                let base = try SweepBase(scenario, text: text)
                for (suffix, text) in [("-points", try base.points()), ("", try base.text(of: []))] {
                    controls.append((try read(text, file: "\(out)/control/\(base.name)\(suffix).yaml"), text))
                }
                bases.append(base)
            } catch {
                leaveOut(scenario.id, "\(error)")
                continue
            }
            for control in controls {
                try ArtifactDirectory(path: out).write(control.text, to: control.scenario.file)
                files.append(control.scenario)
            }
        }
        let (outcomes, records) = try control(files)
        if stopSignal.isRaised { return [] }
        var found: [(base: SweepBase, points: [InjectionPoint])] = []
        for base in bases {
            switch outcomes["\(base.name)"] {
            case .pass:
                let points = InjectionPoints.find(
                    in: records["\(base.name)-points"] ?? [], of: base.scenario, everyByte: plan.everyByte)
                found.append((base, points))
            case let outcome?: leaveOut(base.scenario.id, "it fails without a fault: \(outcome.reason)")
            case nil: leaveOut(base.scenario.id, "it was not run")
            }
        }
        let cases = plan.cases(of: found)
        if found.isEmpty || (cases.isEmpty && plan.of == 1) {
            let none = found.map { "\($0.base.scenario.id): no chosen fault applies to a point of its run" }
            throw SweepError.nothingToInject(reasons + none)
        }
        let byScenario = Dictionary(grouping: cases, by: \.scenario)
        return found.map { ($0.base, byScenario[$0.base.scenario.id] ?? []) }
    }

    private func control(_ files: [Scenario]) throws(HarnessError) -> ([String: Outcome], [String: [RecordEntry]]) {
        guard !files.isEmpty else { return ([:], [:]) }
        let records = Mutex<[String: [RecordEntry]]>([:])
        let suite = try SuiteRun(
            scenarios: files, adapter: adapter, engine: engine, seed: plan.seed, out: out, keepsEverything: false,
            repetitions: 1, jobs: jobs, stop: stopSignal,
            observer: { event in
                if case .ended(_, let result, let record) = event {
                    records.withLock { $0[result.header.scenario] = record }
                }
            })
        let results = try suite.run()
        return (Dictionary(results.map { ($0.header.scenario, $0.outcome) }) { $1 }, records.withLock { $0 })
    }

    private func read(_ text: String, file: String) throws(SweepError) -> Scenario {
        switch ScenarioReader.read(file: file, text: text, requirements: requirements) {
        case .success(let scenario): return scenario
        case .failure(let errors): throw .unusable(errors.errors.map(\.description).joined(separator: "; "))
        }
    }

    // MARK: - Cases

    private func run(_ cases: ArraySlice<(base: SweepBase, item: SweepCase)>) throws(HarnessError) {
        var scenarios: [Scenario] = []
        var readable: [(item: SweepCase, text: String)] = []
        for (base, item) in cases {
            do throws(SweepError) {
                let text = try base.text(of: item.injections)
                scenarios.append(try read(text, file: file(of: item)))
                readable.append((item, text))
            } catch {
                let swept = SweptCase(item, notJudged: "\(error)")
                state.withLock { $0.finished.append(swept) }
                observer(.finished(swept))
            }
        }
        guard !scenarios.isEmpty else { return }
        let suite = try SuiteRun(
            scenarios: scenarios, adapter: adapter, engine: engine, seed: plan.seed, out: out, keepsEverything: false,
            repetitions: 1, jobs: jobs, stop: stopSignal,
            observer: { [self, readable] event in
                guard case .ended(let item, let result, let record) = event, !stopSignal.isRaised else { return }
                finish(readable[item.scenario].item, text: readable[item.scenario].text, result, record)
            })
        _ = try suite.run()
    }

    private func file(of item: SweepCase) -> String { "\(out)/failures/\(item.id).yaml" }

    private func finish(_ item: SweepCase, text: String, _ result: RunResult, _ record: [RecordEntry]) {
        let file = file(of: item)
        let swept = SweptCase(item, result.outcome, record: record, duration: result.duration, file: file)
        var keepsRecord = false
        let kind: String? =
            switch swept.verdict {
            case .fail(let reason): reason.group
            case .notJudged: "not judged"
            case .pass, .missed: nil
            }
        state.withLock { state in
            state.finished.append(swept)
            if let kind {
                state.kept[kind, default: 0] += 1
                keepsRecord = state.kept[kind, default: 0] <= Self.recordsOfAKind
            }
        }
        // A case that was not judged proves nothing; its record is kept for a while, but no file that claims a failure.
        if case .fail = swept.verdict {
            do throws(HarnessError) { try ArtifactDirectory(path: out).write(text, to: file) } catch {
                state.withLock { $0.failure = $0.failure ?? error }
            }
        }
        if !keepsRecord { try? FileManager.default.removeItem(atPath: "\(out)/\(item.id)") }
        observer(.finished(swept))
    }
}

extension Outcome {
    /// The outcome in one line.
    package var reason: String {
        switch self {
        case .pass: "passes"
        case .fail(let kind, let mismatches):
            "fails (\(kind.rawValue))"
                + (mismatches.first.map { ": \($0.check): expected \($0.expected), found \($0.found)" } ?? "")
        case .unsupported(let what): "is not supported by the adapter: \(what)"
        case .skipped(let after): "is skipped after \(after)"
        case .error(let cause): "could not be judged: \(cause)"
        }
    }
}
