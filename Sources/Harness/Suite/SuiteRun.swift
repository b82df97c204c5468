import Dispatch
import Foundation
package import Lab
import NIOCore
import NIOPosix
import NetworkMonitor
import OpenSSLTLS
package import Record
package import ScenarioLanguage
package import Conformance
package import LinkEngines
import Synchronization
import TLSTestKit

/// Progress events of a suite, for display.
package enum SuiteEvent: Sendable {
    case began(SuiteSchedule.Item, Scenario)
    /// The record is empty for a run that did not take place.
    case ended(SuiteSchedule.Item, RunResult, record: [RecordEntry])
}

/// Runs many scenarios at once, each in a lab of its own. Verdicts do not depend on the number of concurrent runs: a run
/// for which the machine was too slow is repeated alone at the end.
package final class SuiteRun: Sendable {
    private struct State {
        var schedule: SuiteSchedule
        var results: [SuiteSchedule.Item: RunResult] = [:]
    }

    private let scenarios: [Scenario]
    private let settings: RunSettings
    private let jobs: Int
    private let endsAtFailure: Bool
    private let state: Mutex<State>
    private let observer: @Sendable (SuiteEvent) -> Void
    /// Workers that have nothing to start wait here until a run has ended.
    private let changed = DispatchSemaphore(value: 0)
    private let stopSignal: StopSignal

    /// - Parameters:
    /// - jobs: the maximum number of concurrent runs; nil means 8 for each core, because scenarios mostly wait.
    /// - baseline: the known failures of the implementation, which are not attributed to a slow machine.
    /// - profile: the expectations that are asked of the implementation.
    /// - firstRepetition: the number of the first repetition, if an earlier suite made those before it.
    /// - endsAtFailure: scenarios run in the given order, and none is started after one has failed.
    /// - isolation: the isolation of the adapters.
    /// - stop: ends the suite: no further scenario starts, and those that are running stop.
    /// - observer: called on the runs' threads.
    package init(
        scenarios: [Scenario], adapter: AdapterChoice, engine: EngineChoice, seed: UInt64, out: String,
        keepsEverything: Bool,
        repetitions: Int, jobs: Int?, baseline: Baseline = .empty, profile: ClientProfile = .urlsession,
        endsAtFailure: Bool = false, firstRepetition: Int = 1, isolation: ClientIsolation = ClientIsolation(),
        stop: StopSignal = StopSignal(), observer: @escaping @Sendable (SuiteEvent) -> Void
    ) throws(HarnessError) {
        self.scenarios = scenarios
        do throws(TLSError) {
            var settings = RunSettings(
                adapter: adapter, engine: engine, seed: seed, out: out, keepsEverything: keepsEverything,
                authority: try CertificateAuthority.make(commonName: "Crosswind lab"),
                group: SuiteRun.servers)
            settings.baseline = baseline
            settings.profile = profile
            settings.isolation = isolation
            self.settings = settings
        } catch {
            throw .origin("\(error)")
        }
        let wanted = jobs ?? ProcessInfo.processInfo.activeProcessorCount * 8
        self.jobs = max(1, min(wanted, scenarios.count * max(1, repetitions)))
        self.endsAtFailure = endsAtFailure
        stopSignal = stop
        self.observer = observer
        state = Mutex(
            State(
                schedule: SuiteSchedule(
                    scenarios: scenarios, repetitions: repetitions, from: firstRepetition, keepsOrder: endsAtFailure)))
    }

    /// The origins' event loops get a higher priority than the implementations under test, where the machine permits
    /// it.
    private static let servers: MultiThreadedEventLoopGroup = {
        let group = MultiThreadedEventLoopGroup.singleton
        for loop in group.makeIterator() { loop.execute { Poller.preferThisThread() } }
        return group
    }()

    /// Runs one scenario again with the packet decisions of an earlier run, which only the emulator supports.
    package init(
        replaying earlier: EarlierRun, scenario: Scenario, adapter: AdapterChoice, out: String,
        stop: StopSignal = StopSignal(), observer: @escaping @Sendable (SuiteEvent) -> Void
    ) throws(HarnessError) {
        var alone = scenario
        // The scenario on which it depends is not run again.
        alone.after = nil
        scenarios = [alone]
        do throws(TLSError) {
            var settings = RunSettings(
                adapter: adapter, engine: .emulator, seed: earlier.header.seed, out: out, keepsEverything: true,
                authority: try CertificateAuthority.make(commonName: "Crosswind lab"),
                group: SuiteRun.servers)
            settings.replayed = earlier
            settings.profile = earlier.header.profile
            self.settings = settings
        } catch {
            throw .origin("\(error)")
        }
        jobs = 1
        endsAtFailure = false
        stopSignal = stop
        self.observer = observer
        state = Mutex(State(schedule: SuiteSchedule(scenarios: scenarios, repetitions: 1)))
    }

    /// Runs all scenarios. Returns the results in the order of the scenarios, with the repetitions of each together.
    package func run() throws(HarnessError) -> [RunResult] {
        do throws(SystemCallError) {
            var workers: [DedicatedThread] = []
            for _ in 0..<jobs { workers.append(try DedicatedThread(name: "cw-run") { self.work() }) }
            workers.removeAll()  // Waits for all of them.
        } catch {
            throw .machine("cannot start a thread: \(error)", fix: "lower --jobs")
        }
        return state.withLock { state in
            state.results.sorted { ($0.key.scenario, $0.key.repetition) < ($1.key.scenario, $1.key.repetition) }.map(
                \.value)
        }
    }

    private func work() {
        while true {
            if stopSignal.isRaised { state.withLock { $0.schedule.stop() } }
            switch state.withLock({ $0.schedule.next() }) {
            case .run(let item): perform(item, isAlone: false)
            case .runAlone(let item): perform(item, isAlone: true)
            case .skip(let item, let outcome): finish(item, skipped(scenarios[item.scenario], item, outcome), [])
            case .wait: changed.wait()
            case .done:
                // Wakes another worker that waits although nothing is left to start.
                changed.signal()
                return
            }
        }
    }

    private func perform(_ item: SuiteSchedule.Item, isAlone: Bool) {
        ConcurrencyLimiter.machine.acquire()
        defer { ConcurrencyLimiter.machine.release() }
        if !isAlone { observer(.began(item, scenarios[item.scenario])) }
        let (result, record) = ScenarioRun.perform(
            scenarios[item.scenario], repetition: item.repetition, isAlone: isAlone, settings: settings,
            stop: stopSignal)
        finish(item, result, record)
    }

    private func finish(_ item: SuiteSchedule.Item, _ result: RunResult, _ record: [RecordEntry]) {
        let hasEnded = state.withLock { state in
            if result.wasTooSlow, state.schedule.postpone(item) { return false }
            state.results[item] = result
            state.schedule.ended(item, result.outcome)
            if endsAtFailure, case .fail = result.outcome { state.schedule.stop() }
            return true
        }
        if hasEnded { observer(.ended(item, result, record: record)) }
        changed.signal()
    }

    private func skipped(_ scenario: Scenario, _ item: SuiteSchedule.Item, _ outcome: Outcome) -> RunResult {
        RunResult(
            header: RunHeader(
                scenario: scenario.id, file: scenario.file, title: scenario.title, proves: scenario.proves,
                adapter: settings.adapter.name, engine: settings.engine.rawValue,
                seed: settings.seed(of: scenario.id, repetition: item.repetition), repetition: item.repetition,
                networkFile: scenario.networkFile, cites: scenario.cites, report: scenario.report,
                basis: Basis.main(of: scenario.bases), profile: settings.profile),
            tags: scenario.tags, outcome: outcome, duration: .zero, recordFile: nil, captureFile: nil)
    }
}
