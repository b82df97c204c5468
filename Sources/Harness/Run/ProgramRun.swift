import AdapterProtocol
package import Conformance
import Foundation
package import Lab
package import LinkEngines
import NetworkMonitor
package import Record
package import ScenarioLanguage

/// A run of a user's program with the network, servers and timeline of a scenario, whose steps it replaces.
///
/// Nothing is known about the program's calls, so only the checks of servers, links and names are judged.
package struct ProgramRun {
    package struct Settings {
        package var command: [String]
        package var engine: EngineChoice
        package var seed: UInt64
        package var forwards: ForwardPlan
        package var host: InteractiveLabHost
        /// The folder for the record.
        package var out: String
        package var timeout: Duration?
        package var isolation: ClientIsolation

        package init(
            command: [String], engine: EngineChoice, seed: UInt64, forwards: ForwardPlan, host: InteractiveLabHost,
            out: String, timeout: Duration?, isolation: ClientIsolation = ClientIsolation()
        ) {
            self.command = command
            self.engine = engine
            self.seed = seed
            self.forwards = forwards
            self.host = host
            self.out = out
            self.timeout = timeout
            self.isolation = isolation
        }
    }

    package let result: RunResult
    package let record: [RecordEntry]
    package let end: InteractiveLab.End

    /// Returns true if a check of the scenario can be judged without events of the client.
    package static func canJudge(_ scenario: Scenario) -> Bool {
        scenario.expectations.contains { $0.check.neededEvents.isEmpty }
    }

    /// Runs the program to its end, or to the timeout. Blocks the calling thread.
    package static func perform(
        _ scenario: Scenario, _ settings: Settings, stop: StopSignal,
        log: @escaping @Sendable (InteractiveLab.Diagnostic) -> Void
    ) throws(HarnessError) -> ProgramRun {
        let started = MonotonicClock.now()
        let folder = "\(settings.out)/\(scenario.id)"
        let recorder = try Recorder.create(at: "\(folder)/record.jsonl")
        defer { recorder.close() }
        let record = { @Sendable (fact: RecordEntry.Fact) in recorder.record(fact, at: MonotonicClock.now()) }
        let name = URL(fileURLWithPath: settings.command[0]).lastPathComponent
        let header = RunHeader(
            scenario: scenario.id, file: scenario.file, title: scenario.title, proves: scenario.proves, adapter: name,
            engine: settings.engine.rawValue, seed: settings.seed, repetition: 1, networkFile: scenario.networkFile,
            cites: scenario.cites, report: scenario.report, basis: Basis.main(of: scenario.bases))
        record(.runStarted(header))
        // Marks the record: checks that need an event are not judged.
        let about = SessionEvent.Implementation(name: name, version: "", language: "program")
        record(
            .session(
                SessionEvent(
                    sequence: 1, time: MonotonicClock.now(), kind: .hello(about, capabilities: [:], reports: []))))
        let capture = "\(folder)/capture.pcapng"
        var plan = InteractiveLabPlan.of(
            scenario, engine: settings.engine, seed: settings.seed, capture: capture, forwards: settings.forwards)
        plan.timeout = settings.timeout
        plan.isolation = settings.isolation
        let end: InteractiveLab.End
        do throws(LabError) {
            end = try InteractiveLab.perform(
                plan, InteractiveLabProgram(command: settings.command), host: settings.host, stop: stop, log: log,
                record: record)
        } catch {
            throw .lab(error)
        }
        // The exit status belongs to the program: a client that reports an expected error may end with any.
        let reason: String? =
            if end.isTimedOut {
                "the program still ran at --timeout"
            } else if end.isInterrupted {
                "the program still ran after Ctrl-C"
            } else {
                end.excess
            }
        if let reason {
            // What it did not do until then must not count as right.
            record(.adapter(.killed(Labelled(.limit, reason))))
        } else if let crash = end.crash {
            record(.adapter(.signalled(crash)))
        } else {
            record(.note(.other("the program ended with status \(end.status)")))
            record(.command(sequence: 1, text: AdapterCommand.end.summary))
        }
        let verdict = Judge.verdict(scenario: scenario, entries: recorder.entries)
        var outcome = verdict.outcome
        if let failure = recorder.failure { outcome = .error("the record could not be written: \(failure)") }
        for check in verdict.notJudged { record(.notJudged(check)) }
        record(.runEnded(outcome))
        var result = RunResult(
            header: header, tags: scenario.tags, outcome: outcome,
            duration: .nanoseconds(MonotonicClock.now() - started), recordFile: recorder.path, captureFile: capture)
        result.notJudged = verdict.notJudged
        return ProgramRun(result: result, record: recorder.entries, end: end)
    }
}
