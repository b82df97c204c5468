import Scenario

/// An origin as a scenario file writes it, so that the tests prove the words and not only the model behind them.
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
