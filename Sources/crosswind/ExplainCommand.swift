import Record
import AdapterProtocol
import ArgumentParser
import Harness
import ScenarioLanguage
import Conformance

struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain a requirement, a section of an RFC, or what a scenario does and proves.")

    @Argument(
        help:
            "A requirement id such as DNLD-09 or RFC-REDIRECT-01, a section such as 'RFC 9110 §15.4', or a scenario's id or file."
    )
    var subject: String

    func run() throws {
        let home = try stopping { try InstallLayout.find() }
        let catalogue = try home.requirements()
        let everything = try SelectionOptions.parse([])
        if let requirement = catalogue[subject.uppercased()] {
            return explain(
                requirement, scenarios: try everything.load(home), reasons: try home.unclaimed(in: catalogue))
        }
        if subject.contains("§") || subject.uppercased().hasPrefix("RFC ") {
            return try explain(section: subject, try everything.load(home), catalogue)
        }
        let isFile = subject.hasSuffix(".yaml") || subject.hasSuffix(".yml")
        let network = isFile ? nil : VariantID(subject).network
        let selection = isFile ? try SelectionOptions.parse([subject]) : everything
        let cases = try selection.cases(home, on: network.map { [$0] } ?? [])
        if let left = cases.leftOut.first(where: { $0.id.description == subject }) {
            throw stop(Status.usage, "`\(subject)` does not run: \(left.reason)")
        }
        guard
            let scenario = cases.scenarios.first(where: {
                $0.id == subject || $0.file == subject || $0.variant.base == subject
            })
        else {
            throw stop(
                Status.usage,
                "`\(subject)` is neither a requirement, a section nor a scenario; crosswind list shows the scenarios, requirement ids look like DNLD-09, and sections like 'RFC 9110 §15.4'"
            )
        }
        explain(scenario, catalogue)
    }

    private func explain(_ requirement: Requirement, scenarios: [Scenario], reasons: UnclaimedReasons) {
        print("\(requirement.id)  \(requirement.title)")
        print("\(requirement.level.rawValue), area \(requirement.area), basis \(requirement.basis.rawValue)\n")
        print(requirement.statement)
        print("\nSources:")
        for source in requirement.sources { print("  - \(source)") }
        print("\nTestable on Linux: \(requirement.testable.rawValue) (\(requirement.reason))")
        let proving = scenarios.filter { $0.proves.contains(requirement.id) }
        if proving.isEmpty {
            return print("\nNo scenario proves it\(reasons[requirement.id].map { ": \($0)" } ?? " yet").")
        }
        print("\nProved by:")
        for scenario in proving { print("  - \(scenario.id): \(scenario.title)") }
    }

    private func explain(section: String, _ scenarios: [Scenario], _ catalogue: RequirementCatalogue) throws {
        let requirements = catalogue.requirements(citing: section)
        let ids = Set(requirements.map(\.id))
        let proving = scenarios.filter { scenario in
            !ids.isDisjoint(with: scenario.proves) || scenario.cites.contains { Citation.matches($0, section) }
        }
        guard !requirements.isEmpty || !proving.isEmpty else {
            throw stop(
                Status.usage, "no requirement and no scenario cites `\(section)`; sections look like RFC 9110 §15.4")
        }
        print(section)
        for requirement in requirements {
            print("\n\(requirement.id)  \(requirement.title)")
            for source in requirement.sources where Citation.matches(source, section) { print("  \(source)") }
        }
        print("\nScenarios:")
        for scenario in proving { print("  - \(scenario.id): \(scenario.title)") }
    }

    private func explain(_ scenario: Scenario, _ catalogue: RequirementCatalogue) {
        print("\(scenario.id)  \(scenario.title)")
        print("file \(scenario.file), at most \(scenario.limit)\n")
        if !scenario.proves.isEmpty { print("Proves:") }
        for id in scenario.proves { print("  - \(id) \(catalogue[id]?.title ?? "")") }
        if !scenario.cites.isEmpty { print("Cites: \(scenario.cites.joined(separator: ", "))") }
        if let report = scenario.report { print("Report: \(report)") }
        let bases = scenario.bases.map(\.rawValue).sorted().joined(separator: ", ")
        print("Basis: \(bases.isEmpty ? "none claimed, so every profile asks it" : bases)")
        print("\nNeeds: \(scenario.needs.map(\.rawValue).sorted().joined(separator: ", "))")
        print("\nNetwork:")
        if let own = scenario.ownNetwork {
            print("  - fixed by \(own)")
        } else {
            let reasons = scenario.excludedNetworks.sorted { $0.key < $1.key }
            print(reasons.isEmpty ? "  - runs on any network" : "  - runs on any network but these:")
            for (network, reason) in reasons { print("    - \(network): \(reason)") }
        }
        for line in scenario.network.descriptionLines { print("  - \(line)") }
        print("\nScript:")
        for step in scenario.script { print("  - \(step.summary)") }
        for entry in scenario.timeline {
            print("  at \(entry.trigger.summary): \(entry.changes.map(\.summary).joined(separator: ", "))")
        }
        print("\nChecks:")
        for expectation in scenario.expectations {
            let kind = type(of: expectation.check)
            let basis = (expectation.basis ?? kind.basis).map { ", basis \($0.rawValue)" } ?? ""
            print("  - line \(expectation.line), \(kind.key)\(basis): \(kind.summary)")
        }
        print("  and always:")
        for invariant in InvariantCatalogue.all { print("  - \(invariant.name): \(invariant.summary)") }
    }
}
