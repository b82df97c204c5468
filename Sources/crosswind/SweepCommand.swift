import ArgumentParser
import Conformance
import Foundation
import Harness
import Lab
import LinkEngines
import Reports
import ScenarioLanguage
import Synchronization

struct SweepCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sweep",
        abstract: "Run scenarios with a fault at every point and judge by properties.",
        discussion: """
            One run of each scenario without faults shows the points: queries, connections, handshakes, requests, heads, bodies, packets \
            and session events. Then each fault is injected at each point, one per run. In place of the scenario's expectations every run \
            must keep these properties: each task ends once and in time, a success delivers exactly one version of the resource, a failure \
            is a documented error, a request that is not idempotent is processed once at most, resume data leads to the same file, and a new \
            task of the same session succeeds on a good network.

            Every failure is a scenario file under failures/ in the folder of the results; `crosswind run` repeats it. The folder also holds \
            sweep.json and sweep.html. `crosswind shrink` reduces a failure, `crosswind merge` joins the results of shards.

            Example: crosswind sweep Scenarios/resume/reset-at-byte.yaml --adapter adaptable --fault reset --limit 100
            """)

    @Argument(help: "Scenario files or folders of them.", completion: .file())
    var paths: [String]

    @Option(
        help: ArgumentHelp(
            "Faults to inject, with commas between them (default: all): \(SweepFault.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "faults"))
    var fault: [String] = []

    @Option(
        help: ArgumentHelp(
            "Phases to inject them in, with commas (default: all): \(InjectionPoint.Phase.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "phases"))
    var at: [String] = []

    @Flag(help: "Every byte of heads and bodies, not only boundaries.")
    var everyByte = false

    @Option(help: "At most this many cases, drawn evenly from all faults and phases.")
    var limit: Int?

    @Option(help: "Number of cases with two or three faults each, instead of one fault at every point.")
    var random: Int?

    @Option(help: "Seed of every random decision, and of the cases that --limit and --random draw.")
    var seed: UInt64 = 1

    @Option(
        help: ArgumentHelp(
            "Sweep each scenario without a network of its own on these networks, as with crosswind run.",
            valueName: "networks"))
    var network: [String] = []

    @Option(
        help:
            "i/n: run only the i-th of n parts; `auto` takes them from the variables of a CI matrix or a Kubernetes job."
    )
    var shard: String?

    @Option(help: "foundation (stock URLSession), adaptable, python, or a command that speaks the adapter protocol.")
    var adapter = "foundation"

    @Option(help: "auto, emulator or kernel.")
    var engine: EngineChoice = .auto

    @Option(help: "How many cases run at once (default: 32 for each core, since most wait for a timeout).")
    var jobs: Int?

    @Option(help: "Folder for the results (default: a new one under .crosswind).", completion: .directory)
    var out: String?

    func validate() throws {
        if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1") }
        if let limit, limit < 1 { throw ValidationError("--limit must be at least 1") }
        if let random, random < 1 { throw ValidationError("--random must be at least 1") }
    }

    func run() throws {
        let plan = try sweeping { try self.plan() }
        try stopping { try Privilege.acquire() }
        let home = try stopping { try InstallLayout.find() }
        let selection = try SelectionOptions.parse(paths)
        let networks = try selection.catalogue(home)
        let scenarios = try selection.cases(home, on: network).scenarios
        if scenarios.isEmpty {
            throw stop(Status.usage, "no scenario is selected: each has a network of its own or excludes these")
        }
        let choice = try stopping { try AdapterChoice.parse(adapter, layout: home) }
        let sources = try scenarios.map { scenario in
            let text = try scenarioText(
                of: scenario.variant, file: scenario.file, networkFile: scenario.networkFile, networks)
            return (scenario: scenario, text: text)
        }
        let folder = try stopping { try ArtifactDirectory.make(out) }
        let display = SweepDisplay()
        let stopSignal = StopSignal()
        let sweep = SweepRun(
            scenarios: sources, plan: plan, adapter: choice, engine: engine,
            jobs: jobs ?? ProcessInfo.processInfo.activeProcessorCount * 32, out: folder.path,
            requirements: try home.requirements().ids, stop: stopSignal, observer: { display.show($0) })
        let interrupt = Interrupt { stopSignal.raise() }
        let started = Date()
        let (finished, failure) = try sweeping { try stopping { try sweep.run() } }
        display.end()
        let report = SweepReport(
            plan: described(plan, sources, choice), part: plan.part, of: plan.of,
            isComplete: !interrupt.happened && failure == nil,
            seconds: Date().timeIntervalSince(started), leftOut: display.leftOut,
            cases: finished.map { SweepReport.Case($0, folder: folder.path) })
        try stopping { try folder.write(report) }
        print(report.text(in: folder.path, filesIn: folder.path))
        if interrupt.happened { throw stop(ExitCode(130), "interrupted; the results so far are in \(folder.path)") }
        if let failure { throw stop(failure.exitCode, "\(failure); the results so far are in \(folder.path)") }
        if report.count(.fail) > 0 { throw Status.unexpected }
    }

    private func plan() throws(SweepError) -> SweepPlan {
        var plan = SweepPlan(faults: try SweepFault.parse(SweepCommand.words(fault)), seed: seed)
        plan.phases = try SweepPlan.phases(SweepCommand.words(at))
        plan.everyByte = everyByte
        plan.limit = limit
        plan.random = random
        if let shard {
            let found = try SweepShard.parse(shard, environment: ProcessInfo.processInfo.environment)
            (plan.part, plan.of) = (found.part, found.of)
        }
        return plan
    }

    private static func words(_ options: [String]) -> [String] {
        options.flatMap { $0.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) } }
    }

    private func described(
        _ plan: SweepPlan, _ sources: [(scenario: Scenario, text: String)], _ adapter: AdapterChoice
    ) -> SweepReport.Plan {
        SweepReport.Plan(
            scenarios: sources.map {
                SweepReport.Plan.Source(scenario: $0.scenario.id, checksum: SweepBase.checksum(of: $0.text))
            }, adapter: self.adapter, faults: plan.faults.map(\.rawValue), phases: plan.phases?.map(\.rawValue),
            everyByte: plan.everyByte, limit: plan.limit, random: plan.random, seed: plan.seed)
    }
}

/// Runs `body` and exits with status 2 when what the sweep was given is wrong.
func sweeping<Value>(_ body: () throws -> Value) throws -> Value {
    do {
        return try body()
    } catch let error as SweepError {
        throw stop(Status.usage, error.description)
    } catch let error as ShardError<SweepReport> {
        throw stop(Status.usage, error.description)
    }
}

extension ArtifactDirectory {
    /// Writes the results of a sweep for programs and for people.
    func write(_ report: SweepReport) throws(HarnessError) {
        try write(report.json, to: "\(path)/\(SweepReport.name)")
        try write(SweepPage.html(report, phases: SweepReport.phases), to: "\(path)/sweep.html")
    }
}

extension SweepReport {
    static let phases = InjectionPoint.Phase.allCases.map(\.rawValue)

    /// The table, the kinds of failure and the summary.
    func text(in folder: String, filesIn files: String? = nil) -> String {
        let table = SweepTable(self, phases: SweepReport.phases, folder: files)
        return (table.lines + ["", table.summary, "Results: \(folder)/sweep.html"]).joined(separator: "\n")
    }
}

extension SweepReport.Case {
    init(_ swept: SweptCase, folder: String) {
        let injections = swept.sweepCase.injections
        let verdict: SweepReport.Verdict =
            switch swept.verdict {
            case .pass: .pass
            case .fail: .fail
            case .missed: .missed
            case .notJudged: .error
            }
        self.init(
            id: swept.sweepCase.id, scenario: swept.sweepCase.scenario, faults: injections.map(\.fault.rawValue),
            phases: injections.map(\.point.phase.rawValue), points: injections.map(\.point.description),
            verdict: verdict)
        switch swept.verdict {
        case .pass, .missed: break
        case .fail(let reason):
            kind = reason.group
            expected = reason.expected
            found = reason.found
        case .notJudged(let reason): kind = reason
        }
        file = swept.file.map { $0.hasPrefix(folder + "/") ? String($0.dropFirst(folder.count + 1)) : $0 }
    }
}

/// Shows the progress of a sweep on standard error, so that standard output is the table alone.
final class SweepDisplay: Sendable {
    private struct State {
        var total = 0
        var finished = 0
        var failed = 0
        var progress = ErrorProgress()
        var started = Date()
        var leftOut: [String] = []
    }

    private let state = Mutex(State())

    var leftOut: [String] { state.withLock { $0.leftOut } }

    func show(_ event: SweepEvent) {
        state.withLock { state in
            switch event {
            case .planned(let cases):
                state.total = cases
                state.started = Date()
                state.progress.log("\(cases) cases")
            case .leftOut(let scenario, let reason):
                state.leftOut.append("\(scenario): \(reason)")
                state.progress.log("\(scenario) is not swept: \(reason)")
            case .finished(let swept):
                state.finished += 1
                if case .fail = swept.verdict { state.failed += 1 }
                let speed = Double(state.finished) / max(0.001, Date().timeIntervalSince(state.started))
                let rate = "\((speed * 10).rounded() / 10) runs/s"
                let line = "\(state.finished)/\(state.total) cases, \(state.failed) failed, \(rate)"
                state.progress.show(line)
            }
        }
    }

    func end() { state.withLock { $0.progress.clear() } }
}
