import Conformance
import ArgumentParser
import ScenarioLanguage

struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Print the JSON Schema of scenario files, for editors.")

    func run() throws { Terminal.write(SchemaPrinter.schema() + "\n") }
}
