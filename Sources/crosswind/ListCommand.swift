import Conformance
import ArgumentParser
import Harness
import ScenarioLanguage

struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List scenarios with the requirements they prove and the sections they cite.")

    @OptionGroup var selection: SelectionOptions

    @Flag(
        help:
            "List instead the requirements that no scenario proves, each with its level and, if known, the reason."
    )
    var uncovered = false

    func run() throws {
        let home = try stopping { try InstallLayout.find() }
        let scenarios = try selection.load(home)
        if uncovered { return try listUncovered(scenarios, home) }
        let width = scenarios.map(\.id.count).max() ?? 0
        for scenario in scenarios {
            let padding = String(repeating: " ", count: width - scenario.id.count)
            let claims = scenario.proves + scenario.cites + (scenario.report.map { ["report: \($0)"] } ?? [])
            // Sections contain blanks, ids do not.
            let separator = claims.count > scenario.proves.count ? ", " : " "
            print("\(scenario.id)\(padding)  \(scenario.title)  [\(claims.joined(separator: separator))]")
        }
    }

    private func listUncovered(_ scenarios: [Scenario], _ home: InstallLayout) throws {
        let catalogue = try home.requirements()
        let reasons = try home.unclaimed(in: catalogue)
        let covered = Set(scenarios.flatMap(\.proves))
        let open = catalogue.requirements.filter { !covered.contains($0.id) }
        for requirement in open {
            let reason =
                if let known = reasons[requirement.id] { "  (\(known))" } else if requirement.testable == .yes {
                    ""
                } else {
                    "  (testable: \(requirement.testable.rawValue), \(requirement.reason))"
                }
            print("\(requirement.id)  \(requirement.level.rawValue)  \(requirement.title)\(reason)")
        }
        print(
            "\(catalogue.requirements.count - open.count) of \(catalogue.requirements.count) requirements are claimed by a scenario"
        )
    }
}
