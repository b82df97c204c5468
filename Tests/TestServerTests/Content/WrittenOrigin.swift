import Conformance
import ScenarioLanguage

/// An origin parsed from scenario text, so that the tests cover the language and not only the model behind it.
enum WrittenOrigin {
    static func plan(_ routes: String, tls: Bool = false) throws -> OriginPlan {
        let text = """
            scenario: Sample
            proves: [DATA-01]
            origin:
              tls: \(tls)
            \(routes.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n"))
            steps:
              - data: /a
                as: first
            expect:
              - completes: { task: first, error: none }
            """
        return try ScenarioReader.read(file: "x", text: text).get().origin
    }
}
