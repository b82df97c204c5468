import ArgumentParser
import Harness
import Scenario

struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List scenarios with the requirements they prove.")

    @OptionGroup var selection: SelectionOptions

    @Flag(help: "List the requirements that no scenario proves instead, each with its level and whether this machine can test it.")
    var uncovered = false

    func run() throws {
        let home = try stopping { try Home.find() }
        let scenarios = try selection.load(home)
        if uncovered { return try listUncovered(scenarios, try home.requirements()) }
        let width = scenarios.map(\.id.count).max() ?? 0
        for scenario in scenarios {
            let padding = String(repeating: " ", count: width - scenario.id.count)
            print("\(scenario.id)\(padding)  \(scenario.title)  [\(scenario.proves.joined(separator: " "))]")
        }
    }

    private func listUncovered(_ scenarios: [Scenario], _ catalogue: RequirementCatalogue) throws {
        let covered = Set(scenarios.flatMap(\.proves))
        let open = catalogue.requirements.filter { !covered.contains($0.id) }
        for requirement in open {
            let reason = requirement.testable == .yes ? "" : "  (testable: \(requirement.testable.rawValue), \(requirement.reason))"
            print("\(requirement.id)  \(requirement.level.rawValue)  \(requirement.title)\(reason)")
        }
        print("\(catalogue.requirements.count - open.count) of \(catalogue.requirements.count) requirements are claimed by a scenario")
    }
}
