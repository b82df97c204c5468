import ArgumentParser
import Foundation
import Harness
import ScenarioLanguage
import Conformance

/// The options that select scenarios: paths, narrowed by text and tag.
struct SelectionOptions: ParsableArguments {
    @Argument(help: "Scenario files or folders of them (default: the project's Scenarios).", completion: .file())
    var paths: [String] = []

    @Option(help: "Only scenarios whose id or title contains this text (may be given several times: any of them).")
    var filter: [String] = []

    @Option(help: "Only scenarios with this tag (may be given several times: any of them).")
    var tag: [String] = []

    @Option(
        help: ArgumentHelp(
            "Folder of network files, known by their names (default: the folder networks beside the scenarios; may be given several times).",
            valueName: "folder"),
        completion: .directory)
    var networks: [String] = []

    /// Reads every file; prints all errors of all files and exits with status 2.
    func load(_ home: InstallLayout) throws -> [Scenario] { try cases(home).scenarios }

    /// Returns the networks that can be named: the built-in ones and those of the folders.
    func catalogue(_ home: InstallLayout) throws -> NetworkCatalogue {
        var catalogue = NetworkCatalogue.builtIn
        do throws(ScenarioErrors) {
            if networks.isEmpty { try catalogue.addFolders(beside: places(home)) }
            for folder in networks { try catalogue.add(folder: folder) }
        } catch {
            throw stop(Status.usage, "\(error)", isBare: true)
        }
        return catalogue
    }

    private func places(_ home: InstallLayout) -> [String] { paths.isEmpty ? [home.folder + "/Scenarios"] : paths }

    /// Reads every file on the networks that `words` name (see `NetworkSelection`).
    func cases(_ home: InstallLayout, on words: [String] = []) throws -> ScenarioCases {
        let selection: NetworkSelection
        let catalogue = try catalogue(home)
        do throws(NetworkSelectionError) {
            selection = try NetworkSelection(words, catalogue: catalogue)
        } catch {
            let isOfFile = if case .file = error { true } else { false }
            throw stop(Status.usage, error.description, isBare: isOfFile)
        }
        return try cases(home, on: selection)
    }

    private func cases(_ home: InstallLayout, on selection: NetworkSelection) throws -> ScenarioCases {
        let files: [String]
        do {
            files = try ScenarioFiles.find(in: places(home))
        } catch {
            throw stop(Status.usage, "\(error)", isBare: true)
        }
        if files.isEmpty {
            throw stop(Status.usage, "no scenario file in \(paths.joined(separator: ", ")); they end in .yaml")
        }
        let catalogue = try home.requirements()
        let known = catalogue.ids
        var cases = ScenarioCases()
        var errors: [ScenarioError] = []
        for file in files {
            switch ScenarioReader.cases(path: file, requirements: known, on: selection) {
            case .success(let found):
                cases.scenarios += found.scenarios.map { scenario in
                    var scenario = scenario
                    scenario.bases = catalogue.bases(of: scenario)
                    return scenario
                }
                cases.leftOut += found.leftOut
            case .failure(let found): errors += found.errors
            }
        }
        guard errors.isEmpty else {
            for error in errors { Terminal.writeError("\(error)") }
            throw Status.usage
        }
        try refuseDuplicates(cases.scenarios)
        cases.scenarios = cases.scenarios.filter(isSelected)
        return cases
    }

    private func isSelected(_ scenario: Scenario) -> Bool {
        let texts = [scenario.id, scenario.title].map { $0.lowercased() }
        let matches =
            filter.isEmpty || filter.contains { wanted in texts.contains { $0.contains(wanted.lowercased()) } }
        return matches && (tag.isEmpty || !Set(tag).isDisjoint(with: scenario.tags))
    }

    /// Two files with the same id would overwrite each other's evidence.
    private func refuseDuplicates(_ scenarios: [Scenario]) throws {
        var files: [String: String] = [:]
        for scenario in scenarios {
            if let other = files.updateValue(scenario.file, forKey: scenario.id) {
                throw stop(
                    Status.usage,
                    "\(scenario.file):1:1: the id `\(scenario.id)` also belongs to \(other); rename one of the files",
                    isBare: true)
            }
        }
    }
}

/// Returns the file of a run as a scenario of its own, with its row and its network in place.
/// - Parameter networkFile: the file of its network, which may be outside the folders of `networks`.
func scenarioText(of variant: VariantID, file: String, networkFile: String?, _ networks: NetworkCatalogue) throws
    -> String
{
    do {
        var networks = networks
        if let networkFile { try networks.add(file: networkFile) }
        let text = try ScenarioReader.text(ofFile: file)
        return try ScenarioReader.text(of: variant, in: text, file: file, networks: networks)
    } catch {
        throw stop(Status.usage, "\(error)", isBare: true)
    }
}

extension InstallLayout {
    func requirements() throws -> RequirementCatalogue {
        let folder = try file("Scenarios/catalogue")
        do {
            return try RequirementCatalogue.read(folder: folder)
        } catch {
            throw stop(Status.usage, "\(error)", isBare: true)
        }
    }

    func symptoms() throws -> [Symptom] {
        let folder = try file("Scenarios/symptoms")
        do {
            return try Symptom.all(in: folder)
        } catch {
            throw stop(Status.usage, "\(error)", isBare: true)
        }
    }

    func unclaimed(in catalogue: RequirementCatalogue) throws -> UnclaimedReasons {
        let path = try file("Scenarios/catalogue/unclaimed.yaml")
        do {
            return try UnclaimedReasons.read(path: path, catalogue: catalogue)
        } catch {
            throw stop(Status.usage, "\(error)", isBare: true)
        }
    }
}
