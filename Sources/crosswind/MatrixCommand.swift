import ArgumentParser
import Conformance
import Foundation
import Harness
import Lab
import LinkEngines
import Record
import Reports
import ScenarioLanguage

struct MatrixCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "matrix", abstract: "Run scenarios with many clients and write one table of behaviours.",
        discussion: """
            The clients are the folders of scripts/clients, each with a client.yaml. A scenario that fails is repeated; when its \
            repetitions end differently, the table says that it varies. The folder of the results holds matrix.html, matrix.json and a page \
            for each run. `crosswind merge` joins the results of shards.

            Exit status: 0 every outcome is a pass or listed in the client's baseline.yaml, 1 another outcome, 2 a client's file is wrong or \
            a client does not answer for the profile, 3 a client is not installed (without --installed). The other clients run nevertheless.

            Example: crosswind matrix Scenarios/redirect --clients curl,wget --out table
            """)

    @OptionGroup var selection: SelectionOptions

    @Option(
        help: ArgumentHelp(
            "all, or the names of client folders with commas between.", valueName: "names"))
    var clients: [String]

    @Option(help: "The expectations to ask: http-client, browser or urlsession.")
    var profile: ClientProfile = .httpClient

    @Option(help: "Number of scenarios that run at once (default: 8 for each core, since they mostly wait).")
    var jobs: Int?

    @Option(help: "i/n: run only the i-th of n parts, with every client.")
    var shard: Shard?

    @Option(name: .customLong("repeat"), help: "Run a scenario that fails up to this many times.")
    var repetitions = 3

    @Option(help: "Seed of every random decision; the same seed gives the same losses.")
    var seed: UInt64 = 1

    @Option(help: "auto, emulator or kernel.")
    var engine: EngineChoice = .auto

    @Flag(help: "Leave out clients that are not installed, without an exit status of 3.")
    var installed = false

    @Option(help: "Folder for the results (default: a new one under .crosswind).", completion: .directory)
    var out: String?

    @OptionGroup var isolation: IsolationOptions

    func validate() throws {
        if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1") }
        if repetitions < 1 || repetitions > 100 { throw ValidationError("--repeat must be between 1 and 100") }
        if names.isEmpty { throw ValidationError("--clients names no client; write all, or names of folders") }
    }

    private var names: [String] {
        clients.flatMap { $0.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) } }
    }

    func run() throws {
        try stopping { try Privilege.acquire() }
        let home = try stopping { try InstallLayout.find() }
        let entries = try stopping { try ClientCatalogue(folder: ClientCatalogue.folder(home)).select(names) }
        let all = try selection.load(home).filter { $0.isAsked(by: profile) }
        if all.isEmpty { throw stop(Status.usage, "no scenario of the profile \(profile.rawValue) is selected") }
        let scenarios = all.enumerated().filter { shard?.contains($0.offset) ?? true }.map(\.element)
        var status: ExitCode?
        let columns = try entries.compactMap { try column($0, home, &status) }
        if !columns.contains(where: \.isReady) {
            throw stop(status ?? Status.machine, "none of the clients can run")
        }
        let folder = try stopping { try ArtifactDirectory.make(out) }
        let results = MatrixResults(folder: folder)
        let stopSignal = StopSignal()
        let interrupt = Interrupt { stopSignal.raise() }
        var report = MatrixReport(
            profile: profile.rawValue, seed: seed, repetitions: repetitions, part: shard?.part ?? 1, of: shard?.of ?? 1,
            clients: columns.map(\.shown),
            behaviours: MatrixReport.behaviours(
                of: all, in: try home.requirements().requirements.filter { profile.asks($0.basis) }),
            scenarios: all.map { MatrixReport.Scenario(id: $0.id, title: $0.title) })
        for (index, column) in columns.enumerated() {
            guard let adapter = column.adapter, !stopSignal.isRaised else { continue }
            results.begin(column.shown.id, scenarios: scenarios.count, baseline: column.baseline)
            try stopping {
                let first = try suite(scenarios, adapter, column, 1, from: 1, results, stopSignal).run()
                let failed = Set(first.filter(\.isFailure).map(\.header.scenario))
                let again = scenarios.filter { failed.contains($0.id) }
                if repetitions > 1, !again.isEmpty, !stopSignal.isRaised {
                    results.repeating(again.count)
                    _ = try suite(again, adapter, column, repetitions - 1, from: 2, results, stopSignal).run()
                }
            }
            results.end()
            report.clients[index].date = MatrixReport.day(Int64(Date().timeIntervalSince1970))
        }
        for (index, scenario) in all.enumerated() {
            report.scenarios[index].support = results.support(of: scenario.id)
        }
        report.isComplete = !interrupt.happened
        try stopping { try folder.write(report) }
        print(report.lines.joined(separator: "\n"))
        for line in report.unexpected { print("not in a baseline: \(line)") }
        print("Results: \(folder.path)/\(MatrixReport.page)")
        if interrupt.happened { throw stop(ExitCode(130), "interrupted; the results so far are in \(folder.path)") }
        if let status { throw status }
        if !report.unexpected.isEmpty { throw Status.unexpected }
    }

    // MARK: - Clients

    /// A column of the table, and the means to run it.
    private struct Column {
        var shown: MatrixReport.Client
        /// nil for a client that is not installed.
        var adapter: AdapterChoice?
        var baseline = Baseline.empty
        var isReady: Bool { adapter != nil }
    }

    /// Returns the column of a client. One that cannot run is named on standard error; `status` becomes the exit status.
    private func column(
        _ entry: ClientCatalogue.Entry, _ home: InstallLayout, _ status: inout ExitCode?
    ) throws -> Column? {
        let client: Client
        switch entry.client {
        case .success(let found): client = found
        case .failure(let errors):
            status = stop(Status.usage, "\(errors)", isBare: true)
            return nil
        }
        guard client.profile.includes(profile) else {
            let left = stop(
                Status.usage,
                "\(client.name) is left out: it runs with the profile \(client.profile.rawValue), not with \(profile.rawValue)"
            )
            // `all` means every client that the profile can ask.
            if names.contains(client.id) { status = left }
            return nil
        }
        var column = Column(
            shown: MatrixReport.Client(id: client.id, name: client.name, language: client.language))
        do throws(HarnessError) {
            column.shown.version = try client.installedVersion()
            column.adapter = try AdapterChoice.client(client, layout: home)
        } catch {
            let found = stop(error.exitCode, error.description)
            column.shown.version = nil
            column.shown.missing = error.description
            if case .clientMissing = error, installed { return nil }
            // A wrong file is reported before a missing program.
            if status != Status.usage { status = found }
            return column
        }
        do {
            if let file = column.adapter?.baseline(asking: profile) {
                column.baseline = try BaselineFile.read(file).baseline
            }
        } catch {
            status = stop(Status.usage, "\(error)", isBare: true)
            return nil
        }
        return column
    }

    // MARK: - Runs

    /// Returns the suite of one client. This is the only place where the matrix meets the options of a run.
    private func suite(
        _ scenarios: [Scenario], _ adapter: AdapterChoice, _ column: Column, _ count: Int, from first: Int,
        _ results: MatrixResults, _ stop: StopSignal
    ) throws(HarnessError) -> SuiteRun {
        let id = column.shown.id
        return try SuiteRun(
            scenarios: scenarios, adapter: adapter, engine: engine, seed: seed, out: results.records(of: id),
            keepsEverything: false, repetitions: count, jobs: jobs, baseline: column.baseline, profile: profile,
            firstRepetition: first, isolation: isolation.isolation, stop: stop,
            observer: { results.show($0, client: id) })
    }
}

extension RunResult {
    fileprivate var isFailure: Bool {
        switch outcome {
        case .fail: true
        case .pass, .unsupported, .skipped, .error: false
        }
    }
}

extension ArtifactDirectory {
    func write(_ report: MatrixReport) throws(HarnessError) {
        try write(report.json, to: "\(path)/\(MatrixReport.name)")
        try write(MatrixPage.html(report), to: "\(path)/\(MatrixReport.page)")
    }
}
