package import ScenarioLanguage

extension ScenarioReader {
    /// Reads one file with the checks of the catalogue.
    package static func read(path: String, requirements: Set<String>? = nil) -> Result<Scenario, ScenarioErrors> {
        read(path: path, checks: CheckCatalogue.all, requirements: requirements)
    }

    package static func read(file: String, text: String, requirements: Set<String>? = nil) -> Result<
        Scenario, ScenarioErrors
    > {
        read(file: file, text: text, checks: CheckCatalogue.all, requirements: requirements)
    }

    /// Reads the runs of one file with the checks of the catalogue.
    package static func cases(
        path: String, requirements: Set<String>? = nil, on selection: NetworkSelection = .asWritten
    ) -> Result<ScenarioCases, ScenarioErrors> {
        cases(path: path, checks: CheckCatalogue.all, requirements: requirements, on: selection)
    }
}

extension SchemaPrinter {
    /// Prints the schema of the language with the checks of the catalogue.
    package static func schema() -> String { schema(checks: CheckCatalogue.all) }
}
