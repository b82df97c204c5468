import Conformance
import ScenarioLanguage

/// Scenarios that the tests of the catalogues and of the checks share.
enum Sample {
    /// The repository's scenarios.
    static let scenarios = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 } + "/Scenarios"

    static func errors(_ text: String) -> [ScenarioError] {
        switch ScenarioReader.read(file: "f.yaml", text: text) {
        case .success: []
        case .failure(let errors): errors.errors
        }
    }
}
