import ArgumentParser
import Foundation
import Harness
import Lab
import Reports
import Conformance
import LinkEngines

struct MutantsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mutants",
        abstract: "Run deliberately wrong sessions and check that the scenarios catch each of them.",
        discussion: """
            Each mutant changes one decision of a correct session and names the requirements that this breaks. It runs against the scenarios \
            that prove those requirements; at least one that the correct session passes must fail. The exit status is 0 when every \
            mutant is caught.

            An adapter offers mutants by two flags: --mutants lists them, one JSON object per line \
            ({"name":"retries-post","breaks":["ERRR-07"],"what":"sends a POST again"}), and --mutant NAME runs that one.
            """)

    @Argument(help: "Only mutants whose name, requirement or description contains this text.")
    var mutants: [String] = []

    @Option(help: "adaptable, or a command that speaks the adapter protocol and offers mutants.")
    var adapter = "adaptable"

    @Option(
        help: "Scenario file or folder (default: the project's Scenarios; may be given several times).",
        completion: .file())
    var scenarios: [String] = []

    @Option(help: "Number of scenarios that run at once (default: 8 for each core, since they mostly wait).")
    var jobs: Int?

    @Option(help: "Seed of every random decision; the same seed gives the same losses.")
    var seed: UInt64 = 1

    @Option(help: "auto, emulator or kernel.")
    var engine: EngineChoice = .auto

    @Option(help: "Folder for records and captures (default: a new one under .crosswind).", completion: .directory)
    var out: String?

    @Option(
        help: """
            Folder of an earlier run of the same adapter, as given to run --out: the correct session then runs only the scenarios that it lacks.
            """, completion: .directory)
    var control: String?

    @Flag(
        help: "Run every scenario that claims a broken requirement, even after one has caught the mutant.")
    var exhaustive = false

    @Flag(help: "List the mutants and exit.")
    var list = false

    func validate() throws {
        if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1") }
    }

    func run() throws {
        let home = try stopping { try InstallLayout.find() }
        let choice = try stopping { try AdapterChoice.parse(adapter, layout: home) }
        let chosen = try stopping { try MutantList.load(choice) }.filter(isSelected)
        if chosen.isEmpty { throw stop(Status.usage, "no mutant is selected; crosswind mutants --list shows them all") }
        try refuseUnknown(chosen, try home.requirements())
        if list {
            print(
                TextTable(chosen.map { [$0.name, $0.breaks.joined(separator: " "), $0.what] }).lines.joined(
                    separator: "\n"))
            return
        }
        try stopping { try Privilege.acquire() }
        let selection = try SelectionOptions.parse(scenarios)
        let earlier = try stopping { try control.map { try ControlResults(folder: $0, adapter: choice.name) } }
        let folder = try stopping { try ArtifactDirectory.make(out) }
        let display = MutantsDisplay(total: chosen.count, nameWidth: chosen.map(\.name.count).max() ?? 0)
        let stopSignal = StopSignal()
        let mutantsRun = MutantsRun(
            mutants: chosen, scenarios: try selection.load(home), adapter: choice, engine: engine, seed: seed,
            out: folder.path, jobs: jobs,
            isExhaustive: exhaustive, control: earlier, stop: stopSignal, observer: { display.show($0) })
        let interrupt = Interrupt { stopSignal.raise() }
        let verdicts = try stopping { try mutantsRun.run() }
        display.end()
        let table = MutantTable(verdicts)
        print("")
        print(table.lines.joined(separator: "\n"))
        print("\n\(table.summary)\nEvidence: \(folder.path)")
        if interrupt.happened { throw stop(ExitCode(130), "interrupted; the records so far are in \(folder.path)") }
        if !verdicts.allSatisfy(\.isCaught) { throw Status.unexpected }
    }

    private func isSelected(_ mutant: Mutant) -> Bool {
        let texts = ([mutant.name, mutant.what] + mutant.breaks).map { $0.lowercased() }
        return mutants.isEmpty || mutants.contains { wanted in texts.contains { $0.contains(wanted.lowercased()) } }
    }

    private func refuseUnknown(_ mutants: [Mutant], _ catalogue: RequirementCatalogue) throws {
        for mutant in mutants {
            for id in mutant.breaks where !catalogue.ids.contains(id) {
                throw stop(
                    Status.usage, "the mutant \(mutant.name) breaks \(id), which is not a requirement of the catalogue")
            }
        }
    }
}
