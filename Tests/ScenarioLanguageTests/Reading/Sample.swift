@testable import Conformance
@testable import ScenarioLanguage

/// Texts that the tests of the reader share.
enum Sample {
    static let folder = above(1) + "/Samples"
    /// The repository's scenarios.
    static let scenarios = above(4) + "/Scenarios"

    private static func above(_ levels: Int) -> String {
        #filePath.split(separator: "/").dropLast(levels).reduce("") { $0 + "/" + $1 }
    }

    static func text(_ name: String) throws -> String {
        try ScenarioReader.text(ofFile: folder + "/" + name)
    }

    /// The smallest valid scenario; tests replace or add one line.
    static let good = """
        scenario: A body arrives
        proves: [DATA-01]
        timeout: 20s
        network: { wifi: good-wifi }
        origin:
          /a: { text: hi }
        steps:
          - data: /a
            as: first
        expect:
          - completes: { task: first, error: none }
        """

    static func good(replacing old: String, with new: String) -> String { good.replacing(old, with: new) }

    static func errors(_ text: String, requirements: Set<String>? = nil) -> [ScenarioError] {
        switch ScenarioReader.read(file: "f.yaml", text: text, requirements: requirements) {
        case .success: []
        case .failure(let errors): errors.errors
        }
    }
}
