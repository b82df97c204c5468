import Conformance
import ArgumentParser
import Harness
import Record
import Reports
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

    @Flag(
        help: "List the networks for `run --network`, and the scenarios that fix their network or exclude some instead."
    )
    var byNetwork = false

    @Option(help: "Only scenarios that `run --profile` asks: http-client, browser or urlsession.")
    var profile: ClientProfile = .urlsession

    func run() throws {
        let home = try stopping { try InstallLayout.find() }
        let scenarios = try selection.load(home).filter { $0.isAsked(by: profile) }
        if byNetwork { return listNetworks(scenarios, try selection.catalogue(home)) }
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

    private func listNetworks(_ scenarios: [Scenario], _ catalogue: NetworkCatalogue) {
        print("Networks (`all` leaves out those in brackets):")
        let rows = catalogue.networks.map { network in
            let name = network.interrupts == nil ? network.name : "(\(network.name))"
            return ["  \(name)", network.summary + (network.file.map { " [\($0)]" } ?? "")]
        }
        for line in TextTable(rows).lines { print(line) }
        // The rows and listed networks of a scenario share what its file says.
        var seen: Set<String> = []
        let files = scenarios.filter { seen.insert($0.variant.base).inserted }
        let own = files.filter { $0.ownNetwork != nil }
        print("\n\(own.count) of \(files.count) scenarios have a network of their own:")
        for scenario in own { print("  \(scenario.variant.base)  \(scenario.ownNetwork?.description ?? "")") }
        print("\nExcluded networks:")
        for scenario in files {
            for (network, reason) in scenario.excludedNetworks.sorted(by: { $0.key < $1.key }) {
                print("  \(scenario.variant.base)@\(network)  \(reason)")
            }
        }
    }

    private func listUncovered(_ scenarios: [Scenario], _ home: InstallLayout) throws {
        let catalogue = try home.requirements()
        let reasons = try home.unclaimed(in: catalogue)
        let covered = Set(scenarios.flatMap(\.proves))
        let proven = Set(reasons.tests.keys).subtracting(covered)
        let open = catalogue.requirements.filter { !covered.contains($0.id) && !proven.contains($0.id) }
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
            "\(catalogue.requirements.count - open.count - proven.count) of \(catalogue.requirements.count) requirements are "
                + "claimed by a scenario, \(proven.count) are proven by unit tests of this project"
        )
    }
}
