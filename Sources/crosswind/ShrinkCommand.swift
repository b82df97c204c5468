import ArgumentParser
import Conformance
import Foundation
import Harness
import Lab
import LinkEngines
import Record
import ScenarioLanguage

struct ShrinkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shrink", abstract: "Reduce a failing scenario while it keeps failing for the same reason.",
        discussion: """
            Faults, steps, timeline entries, expectations and keys are left out and sizes made smaller, one change per run, as long as the \
            same check fails with the same finding; numbers in the finding may differ. The result is an ordinary scenario file.

            Example: crosswind shrink sweep/failures/some-case.yaml --adapter adaptable
            """)

    @Argument(
        help: "A scenario file that fails, or the record (or its folder) of a run that failed.", completion: .file())
    var path: String

    @Option(help: "foundation (stock URLSession), adaptable, python, or a command that speaks the adapter protocol.")
    var adapter: String?

    @Option(help: "Seed of every random decision (default: 1).")
    var seed: UInt64 = 1

    @Option(help: "auto, emulator or kernel.")
    var engine: EngineChoice = .auto

    @Option(help: "The most runs.")
    var runs = 300

    @Option(help: "Folder for the smaller scenario (default: a new one under .crosswind).", completion: .directory)
    var out: String?

    func validate() throws {
        if runs < 1 { throw ValidationError("--runs must be at least 1") }
    }

    func run() throws {
        let home = try stopping { try InstallLayout.find() }
        let header = try record()
        let file = header?.file ?? path
        let variant = header.map { VariantID($0.scenario) } ?? VariantID(base: ScenarioFiles.id(of: file))
        let networks = try SelectionOptions.parse([file]).catalogue(home)
        let text = try scenarioText(of: variant, file: file, networkFile: header?.networkFile, networks)
        let scenario = try read(text, file, home)
        try stopping { try Privilege.acquire() }
        let choice = try stopping { try AdapterChoice.parse(adapter ?? header?.adapter ?? "foundation", layout: home) }
        let folder = try stopping { try ArtifactDirectory.make(out) }
        let stopSignal = StopSignal()
        let shrink = ShrinkRun(
            scenario, text: text,
            settings: ShrinkRun.Settings(
                adapter: choice, engine: engine, seed: seed, out: folder.path,
                requirements: try home.requirements().ids, mostRuns: runs, stop: stopSignal))
        let interrupt = Interrupt { stopSignal.raise() }
        let result = try sweeping {
            try stopping {
                try shrink.run { runs, bytes in
                    guard runs % 10 == 0 else { return }
                    Terminal.writeError("crosswind: \(runs) runs, \(bytes) bytes left")
                }
            }
        }
        let lines = (try? String(contentsOfFile: result.file, encoding: .utf8)) ?? ""
        print(lines)
        print("\(result.reason.check): expected \(result.reason.expected), found \(result.reason.found)")
        print("\(text.utf8.count) bytes became \(lines.utf8.count) in \(result.runs) runs: \(result.file)")
        if interrupt.happened { throw stop(ExitCode(130), "interrupted; the file is the smallest so far") }
        if !result.isSmallest { print("The limit of --runs ended the search; a smaller scenario may exist.") }
    }

    /// Returns the header of a record; nil for a scenario file.
    private func record() throws -> RunHeader? {
        let isFolder = (try? FileManager.default.contentsOfDirectory(atPath: path)) != nil
        guard isFolder || path.hasSuffix(".jsonl") else { return nil }
        return try stopping { try RecordedRun.read(path) }.header
    }

    private func read(_ text: String, _ file: String, _ home: InstallLayout) throws -> Scenario {
        switch ScenarioReader.read(file: file, text: text, requirements: try home.requirements().ids) {
        case .success(let scenario): return scenario
        case .failure(let found):
            for error in found.errors { Terminal.writeError("\(error)") }
            throw Status.usage
        }
    }
}
