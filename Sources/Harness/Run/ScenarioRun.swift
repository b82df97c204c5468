import AdapterProtocol
import Foundation
import Lab
import LabKernel
import NetworkMonitor
import Record
import ScenarioLanguage
import Conformance
import LinkEngines

/// A run from start to end: record, lab, servers, adapter, script, tear-down, judgement.
final class ScenarioRun {
    private let scenario: Scenario
    private let settings: RunSettings
    private var header: RunHeader
    private let recorder: Recorder
    private let capture: Capture
    private let decisions: DecisionLog
    private let started = MonotonicClock.now()

    /// Runs the scenario on the calling thread, which is blocked meanwhile. Never throws: every failure becomes an
    /// outcome.
    ///
    /// - Parameter isAlone: true to repeat a run for which the machine was too slow; its files are kept beside those of
    ///   the first.
    static func perform(
        _ scenario: Scenario, repetition: Int, isAlone: Bool, settings: RunSettings, stop: StopSignal
    ) -> (result: RunResult, record: [RecordEntry]) {
        let header = RunHeader(
            scenario: scenario.id, file: scenario.file, title: scenario.title, proves: scenario.proves,
            adapter: settings.adapter.name, engine: settings.engine.rawValue,
            seed: settings.seed(of: scenario.id, repetition: repetition), repetition: repetition,
            networkFile: scenario.networkFile, cites: scenario.cites, report: scenario.report,
            basis: Basis.main(of: scenario.bases), profile: settings.profile)
        let start = MonotonicClock.now()
        let suffix = (repetition == 1 ? "" : "-\(repetition)") + (isAlone ? "-alone" : "")
        let folder = settings.out + "/" + scenario.id
        do throws(HarnessError) {
            let run = try ScenarioRun(scenario, header, settings, folder: folder, suffix: suffix)
            return (run.perform(stop, isAlone: isAlone), run.recorder.entries)
        } catch {
            let result = RunResult(
                header: header, tags: scenario.tags, outcome: .error("\(error)"),
                duration: .nanoseconds(MonotonicClock.now() - start), recordFile: nil, captureFile: nil)
            return (result, [])
        }
    }

    private init(
        _ scenario: Scenario, _ header: RunHeader, _ settings: RunSettings, folder: String, suffix: String
    ) throws(HarnessError) {
        self.scenario = scenario
        self.settings = settings
        self.header = header
        recorder = try Recorder.create(at: "\(folder)/record\(suffix).jsonl")
        do throws(LabError) {
            capture = try Capture.create(at: "\(folder)/capture\(suffix).pcapng")
            decisions = try DecisionLog.create(at: "\(folder)/decisions\(suffix).txt")
        } catch {
            throw .lab(error)
        }
    }

    private func perform(_ stop: StopSignal, isAlone: Bool) -> RunResult {
        record(.runStarted(header))
        if isAlone { record(.note(.other("repeated alone: the machine was too slow for the first run"))) }
        do throws(HarnessError) {
            try play(stop)
        } catch {
            record(.note(.harnessFault(error.description)))
        }
        let verdict = Judge.verdict(
            scenario: scenario, entries: recorder.entries, baseline: settings.baseline, profile: settings.profile)
        var outcome = verdict.outcome
        if let failure = decisions.failure {
            record(.note(.other("not all packet decisions were written: \(failure)")))
        }
        if let failure = recorder.failure { outcome = .error("the record could not be written: \(failure)") }
        for check in verdict.notJudged { record(.notJudged(check)) }
        record(.runEnded(outcome))
        recorder.close()
        let isKept = settings.keepsEverything || outcome.wantsCapture
        capture.close(keep: isKept)
        decisions.close()
        var result = RunResult(
            header: header, tags: scenario.tags, outcome: outcome,
            duration: .nanoseconds(MonotonicClock.now() - started),
            recordFile: recorder.path, captureFile: isKept && capture.failure == nil ? capture.path : nil)
        result.wasTooSlow = verdict.isTooSlow
        result.notJudged = verdict.notJudged
        return result
    }

    private func record(_ fact: RecordEntry.Fact) { recorder.record(fact, at: MonotonicClock.now()) }

    // MARK: - The run

    private func play(_ stop: StopSignal) throws(HarnessError) {
        let bodies = TaskBodies(scenario.script)
        let identities = try ClientIdentities.files(for: scenario.script, authority: settings.authority)
        let driver = try build(files: bodies.files.merging(identities) { body, _ in body }, stop)
        defer { driver.stop() }
        header.engine = driver.lab.engineName
        record(.note(.other(driver.lab.engineNote)))
        let adapter = try AdapterProcess.start(
            settings.adapter, in: driver.lab, world: driver.environment, isRestartable: scenario.hasSeveralProcesses)
        record(
            .adapter(.started(pid: adapter.processIdentifier, command: settings.adapter.command.joined(separator: " ")))
        )
        for weakness in adapter.process.weaknesses { record(.note(.other(weakness))) }
        // The link is measured while the adapter starts. No command has been sent to it yet, so it makes no traffic.
        do throws(LabError) { try driver.lab.probe() } catch {
            adapter.kill()
            throw .lab(error)
        }
        try RunController(
            scenario: scenario, profile: settings.profile, bodies: bodies, driver: driver, adapter: adapter,
            recorder: recorder
        ).run()
        driver.lab.report()
        // The engine may have failed during the last measurement.
        for case .failed(let reason) in driver.inbox.drain() { throw .lab(.failed(reason)) }
    }

    /// Builds the lab, with these files in the adapter's private folder.
    private func build(files: [String: [UInt8]], _ stop: StopSignal) throws(HarnessError) -> LabDriver {
        let recorder = recorder
        do throws(LabError) {
            return try LabDriver(
                LabDriver.Settings(
                    scenario: scenario, engine: settings.engine, seed: header.seed, capture: capture,
                    decisions: DecisionRecorder(log: decisions, replayed: settings.replayed?.decisions),
                    authority: settings.authority, group: settings.group, files: files, isolation: settings.isolation),
                stop: stop,
                report: { report in
                    let now = MonotonicClock.now()
                    switch report {
                    case .fact(let fact): recorder.record(fact, at: now)
                    case .late(let reason): recorder.record(.note(.conditionNotKept(reason)), at: now)
                    }
                })
        } catch {
            throw .lab(error)
        }
    }
}

extension Outcome {
    /// True for outcomes whose packets are likely to be examined.
    fileprivate var wantsCapture: Bool {
        switch self {
        case .fail, .error: true
        case .pass, .unsupported, .skipped: false
        }
    }
}
