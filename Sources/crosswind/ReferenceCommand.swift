import ArgumentParser
import Conformance
import Harness
import ScenarioLanguage

struct ReferenceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reference", abstract: "Print the reference of the scenario language, or the page of symptoms.",
        discussion: """
            The committed pages are made by these commands:
            crosswind reference > Scenarios/REFERENCE.md
            crosswind reference --symptoms > Scenarios/SYMPTOMS.md
            crosswind schema > Scenarios/scenario.schema.json
            """)

    @Flag(help: "Print the page that leads from symptoms to scenarios.")
    var symptoms = false

    func run() throws {
        guard symptoms else { return Terminal.write(LanguageReference().page) }
        Terminal.write(Symptom.page(try stopping { try InstallLayout.find() }.symptoms()))
    }
}
