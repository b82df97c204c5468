import Lab
import Record
import ArgumentParser
import Foundation
import Harness
import Reports
import ScenarioLanguage
import Conformance
import LinkEngines

struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run scenarios against a session implementation and judge the results.",
        discussion: """
            Each scenario gets its own lab and its own adapter process. Known failures are listed in \
            Scenarios/baseline/ADAPTER.yaml; the exit status is 0 when every outcome was expected.
            """)

    @OptionGroup var selection: SelectionOptions

    @OptionGroup var client: ClientOptions

    @Option(
        help: ArgumentHelp(
            "Run each scenario without a network of its own on these networks, as ID@NETWORK: names with commas between, network files, all, or own (as written).",
            discussion: "crosswind list --by-network shows the networks, and the scenarios that fix or exclude some.",
            valueName: "networks"))
    var network: [String] = []

    @Option(help: "Number of scenarios that run at once (default: 8 for each core, since they mostly wait).")
    var jobs: Int?

    @Option(help: "Seed of every random decision; the same seed gives the same losses.")
    var seed: UInt64 = 1

    @Option(help: "auto, emulator or kernel.")
    var engine: EngineChoice = .auto

    @Option(name: .customLong("repeat"), help: "Run each scenario this many times.")
    var repetitions = 1

    @Option(help: "i/n: run only the i-th of n parts.")
    var shard: Shard?

    @Option(help: "Write JUnit XML to this file.", completion: .file())
    var junit: String?

    @Option(
        help: ArgumentHelp(
            "Write web pages to this folder: one for all runs, and one for each run that failed.",
            discussion: "Runs that write to the same folder are shown beside each other. The pages work offline.",
            valueName: "folder"), completion: .directory)
    var html: String?

    @Flag(help: "With --html, write a page for every run.")
    var htmlAll = false

    @Flag(
        help:
            "Write annotations for GitHub Actions, and a job summary to the file that GITHUB_STEP_SUMMARY names.")
    var github = false

    @Option(help: "Folder for records and captures (default: a new one under .crosswind).", completion: .directory)
    var out: String?

    @Option(
        help:
            "Baseline file; /dev/null expects every scenario to pass (default: Scenarios/baseline/ADAPTER.yaml, if it exists).",
        completion: .file())
    var baseline: String?

    @Option(
        name: .customLong("profile"),
        help: ArgumentHelp(
            "The expectations to ask, by their basis: http-client (RFCs), browser (RFCs and the Fetch standard), or urlsession (everything).",
            discussion:
                "Default: the profile of a client of scripts/clients, urlsession for others. http-client and browser compare errors by class, such as lost or timedOut; urlsession compares the codes of URLSession. Scenarios without an expectation of the profile are not run, and their other checks are not judged."
        ))
    var askedProfile: ClientProfile?

    @Flag(name: .shortAndLong, help: "List the checks that were not judged, with the reasons.")
    var verbose = false

    @Flag(help: "Keep packet captures of passing scenarios as well.")
    var keep = false

    @OptionGroup var isolation: IsolationOptions

    func validate() throws {
        if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1") }
        if htmlAll, html == nil { throw ValidationError("--html-all needs --html FOLDER") }
        if repetitions < 1 || repetitions > 10_000 { throw ValidationError("--repeat must be between 1 and 10000") }
    }

    func run() throws {
        try stopping { try Privilege.acquire() }
        let home = try stopping { try InstallLayout.find() }
        let choice = try stopping { try client.choice(home) }
        let profile = try client.profile(askedProfile, of: choice)
        let cases = try selection.cases(home, on: network)
        let asked = cases.scenarios.filter { $0.isAsked(by: profile) }
        let scenarios = selected(asked)
        if asked.isEmpty, !cases.scenarios.isEmpty {
            throw stop(
                Status.usage,
                "no scenario is selected: none of the \(cases.scenarios.count) has an expectation of the profile \(profile.rawValue); --profile urlsession runs them all"
            )
        }
        if scenarios.isEmpty, let left = leftOut(cases) { throw stop(Status.usage, "no scenario is selected; \(left)") }
        if scenarios.isEmpty { throw stop(Status.usage, "no scenario is selected; crosswind list shows them all") }
        let known = try readBaseline(for: choice, profile, home)
        let folder = try stopping { try ArtifactDirectory.make(out) }
        let pages = try stopping { () throws(HarnessError) in
            try html.map { path throws(HarnessError) in
                try RunPages(
                    path, includesPasses: htmlAll, scenarios: scenarios, baseline: known.baseline, evidence: folder)
            }
        }
        let shown = SuiteDisplay(
            total: scenarios.count * repetitions, nameWidth: scenarios.map(\.id.count).max() ?? 0,
            baseline: known.baseline, isVerbose: verbose,
            writePage: { run, record in pages?.write(run, record, folder) })
        let stopSignal = StopSignal()
        InteractiveLab.removeAbandonedSockets()
        let suite = try stopping {
            try SuiteRun(
                scenarios: scenarios, adapter: choice, engine: engine, seed: seed, out: folder.path,
                keepsEverything: keep,
                repetitions: repetitions, jobs: jobs, baseline: known.baseline, profile: profile,
                isolation: isolation.isolation, stop: stopSignal,
                observer: { shown.show($0) })
        }
        let interrupt = Interrupt { stopSignal.raise() }
        let started = Date()
        let results = try stopping { try suite.run() }
        shown.end()
        let isWhole =
            selection.paths.isEmpty && selection.filter.isEmpty && selection.tag.isEmpty && shard == nil
            && profile == .urlsession
        let report = SuiteReport(
            runs: shown.reported(results), staleBaselineLines: isWhole ? known.stale(among: scenarios) : [],
            requirementTitles: Dictionary(
                uniqueKeysWithValues: try home.requirements().requirements.map { ($0.id, $0.title) }),
            startedAt: Int64(started.timeIntervalSince1970), elapsed: .seconds(Date().timeIntervalSince(started)),
            artifactDirectory: folder.path)
        Terminal.write(ConsoleReport(colour: shown.isTerminal).summary(report) + "\n")
        if let left = leftOut(cases) { print(left) }
        let outside = cases.scenarios.count - asked.count
        if outside > 0 { print("left out: \(outside) without an expectation of the profile \(profile.rawValue)") }
        try write(report, folder, pages)
        if interrupt.happened {
            throw stop(ExitCode(130), "interrupted; the records so far are in \(folder.path)")
        }
        if !results.isEmpty, results.allSatisfy(\.couldNotRun) { throw Status.machine }
        if !report.isAsExpected || !report.unsteady.isEmpty { throw Status.unexpected }
    }

    /// Returns a line about the runs that were not made; nil if there are none.
    private func leftOut(_ cases: ScenarioCases) -> String? {
        guard !cases.leftOut.isEmpty else { return nil }
        let own = cases.leftOut.count { if case .own = $0.reason { true } else { false } }
        return
            "left out: \(own) with a network of their own, \(cases.leftOut.count - own) on a network that they exclude "
            + "(crosswind list --by-network)"
    }

    private func selected(_ all: [Scenario]) -> [Scenario] {
        guard let shard else { return all }
        return all.enumerated().filter { shard.contains($0.offset) }.map(\.element)
    }

    private func readBaseline(
        for choice: AdapterChoice, _ profile: ClientProfile, _ home: InstallLayout
    ) throws -> BaselineFile {
        let path =
            baseline ?? choice.baseline(asking: profile) ?? "\(home.folder)/Scenarios/baseline/\(choice.name).yaml"
        guard baseline != nil || FileManager.default.fileExists(atPath: path) else {
            return BaselineFile(file: path, baseline: .empty)
        }
        return try BaselineFile.read(path)
    }

    private func write(_ report: SuiteReport, _ folder: ArtifactDirectory, _ pages: RunPages?) throws {
        try stopping {
            try folder.write(SummaryFile.json(report), to: "\(folder.path)/\(SummaryFile.name)")
            if let junit { try folder.write(JUnitReport.xml(report), to: junit, option: "--junit") }
            try pages?.write(report, folder)
        }
        if let html { print("Web page: \(html)/\(SuitePage.file)") }
        if github { try writeGitHub(report) }
    }

    /// Prints annotations, which GitHub finds in the output, and appends the job summary.
    private func writeGitHub(_ report: SuiteReport) throws {
        let output = GitHubReport.annotations(report).joined(separator: "\n")
        if !output.isEmpty { print(output) }
        let variable = "GITHUB_STEP_SUMMARY"
        guard let path = ProcessInfo.processInfo.environment[variable], !path.isEmpty else { return }
        try stopping { try ArtifactDirectory.append(GitHubReport.summary(report), to: path, variable: variable) }
    }
}

/// The baseline with the file it came from.
struct BaselineFile {
    var file: String
    var baseline: Baseline

    static func read(_ path: String) throws -> BaselineFile {
        let text: String
        do {
            // A handle also reads pipes and /dev/null, the baseline without lines; String(contentsOfFile:) refuses both.
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        } catch {
            throw stop(Status.usage, "cannot read the baseline \(path): \(reasonText(error))")
        }
        do {
            return BaselineFile(file: path, baseline: try Baseline.read(file: path, text: text))
        } catch {
            throw stop(Status.usage, "\(error)", isBare: true)
        }
    }

    func stale(among scenarios: [Scenario]) -> [String] {
        baseline.stale(among: Set(scenarios.map(\.id))).map { "\(file):\($0.line): \($0.scenario): no such scenario" }
    }
}

extension EngineChoice: ExpressibleByArgument {}
extension ClientProfile: ExpressibleByArgument {}

/// `2/5`: the second of five parts.
struct Shard: ExpressibleByArgument {
    var part: Int
    var of: Int

    init?(argument: String) {
        let numbers = argument.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let part = numbers[0], let of = numbers[1], part >= 1, of >= part else { return nil }
        self.part = part
        self.of = of
    }

    /// Assigns scenarios to parts in turn, so that the parts have similar sizes.
    func contains(_ index: Int) -> Bool { index % of == part - 1 }
}

extension RunResult {
    /// True when the harness or the machine could not run it.
    fileprivate var couldNotRun: Bool {
        switch outcome {
        case .error: true
        case .pass, .fail, .unsupported, .skipped: false
        }
    }
}
