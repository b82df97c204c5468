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

    /// Reads every file; prints all errors of all files and exits with status 2.
    func load(_ home: InstallLayout) throws -> [Scenario] {
        let files: [String]
        do {
            files = try ScenarioFiles.find(in: paths.isEmpty ? [home.folder + "/Scenarios"] : paths)
        } catch {
            throw stop(Status.usage, "\(error)", isBare: true)
        }
        if files.isEmpty {
            throw stop(Status.usage, "no scenario file in \(paths.joined(separator: ", ")); they end in .yaml")
        }
        let known = try home.requirements().ids
        var scenarios: [Scenario] = []
        var errors: [ScenarioError] = []
        for file in files {
            switch ScenarioReader.read(path: file, requirements: known) {
            case .success(let scenario): scenarios.append(scenario)
            case .failure(let found): errors += found.errors
            }
        }
        guard errors.isEmpty else {
            for error in errors { FileHandle.standardError.write(Data("\(error)\n".utf8)) }
            throw Status.usage
        }
        try refuseDuplicates(scenarios)
        return scenarios.filter(isSelected)
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

extension InstallLayout {
    func requirements() throws -> RequirementCatalogue {
        let folder = try file("Scenarios/catalogue")
        do {
            return try RequirementCatalogue.read(folder: folder)
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
