@testable import Reports

/// A small matrix: three clients, three behaviours, four scenarios, and every state.
enum MatrixSample {
    static func support(_ outcomes: String..., client: String = "a", scenario: String = "s", note: String? = nil)
        -> MatrixReport.Support
    {
        MatrixReport.Support(
            runs: outcomes.enumerated().map { index, outcome in
                MatrixReport.Run(
                    outcome: outcome, kind: outcome == "fail" ? "wrong" : nil,
                    page: "runs/\(client)/\(scenario)\(index == 0 ? "" : "-\(index + 1)").html")
            }, found: outcomes.contains("fail") ? "requests: expected 1; found 2" : nil, note: note)
    }

    static let scenarios = [
        MatrixReport.Scenario(
            id: "redirect/a", title: "A 303 becomes a GET",
            support: [
                "curl": support("pass", client: "curl", scenario: "redirect/a"),
                "httpx": support(
                    "fail", "fail", "fail", client: "httpx", scenario: "redirect/a", note: "sends the body"),
            ]),
        MatrixReport.Scenario(
            id: "redirect/b[early]@lte", title: "A 303 to a HEAD",
            support: [
                "curl": support("fail", "pass", "pass", client: "curl", scenario: "redirect/b[early]@lte"),
                "httpx": support("pass", client: "httpx", scenario: "redirect/b[early]@lte"),
            ]),
        MatrixReport.Scenario(
            id: "cookies/a", title: "A cookie stays with its host",
            support: ["curl": support("unsupported"), "httpx": support("pass")]),
        MatrixReport.Scenario(
            id: "faults/a", title: "A reset is a failure",
            support: ["curl": support("error"), "httpx": support("fail", note: "sends the body")]),
    ]

    static let behaviours = [
        MatrixReport.Behaviour(
            id: "RFC-REDIRECT-01", area: "Redirects", title: "303 turns into a GET",
            statement: "A client that follows a 303 uses GET.", level: "must", basis: "rfc",
            sources: [MatrixReport.Source("RFC 9110 §15.4.4: A user agent can")],
            scenarios: ["redirect/a", "redirect/b[early]@lte"]),
        MatrixReport.Behaviour(
            id: "RFC-COOKIE-01", area: "Cookies", title: "Cookies stay", statement: "A cookie stays with its host.",
            level: "should", basis: "rfc", sources: [MatrixReport.Source("RFC 6265 §5.4")], scenarios: ["cookies/a"]),
        MatrixReport.Behaviour(
            id: "scenarios/faults", area: "Other scenarios", title: "faults", statement: "Others.",
            scenarios: ["faults/a"]),
    ]

    static let clients = [
        MatrixReport.Client(id: "curl", name: "curl", language: "C", version: "8.14.1", date: "2026-11-23"),
        MatrixReport.Client(
            id: "httpx", name: "Python httpx", language: "Python", version: "0.28.1", date: "2026-11-23"),
        MatrixReport.Client(
            id: "ureq", name: "Rust ureq", language: "Rust", missing: "Rust ureq is not installed: no rustc"),
    ]

    static func report(
        clients: [MatrixReport.Client] = clients, behaviours: [MatrixReport.Behaviour] = behaviours,
        scenarios: [MatrixReport.Scenario] = scenarios
    ) -> MatrixReport {
        MatrixReport(
            profile: "http-client", seed: .max, repetitions: 3, clients: clients, behaviours: behaviours,
            scenarios: scenarios)
    }

    /// The part with every n-th scenario's results, as a shard writes it.
    static func shard(_ part: Int, of: Int) -> MatrixReport {
        var report = report()
        (report.part, report.of) = (part, of)
        for index in report.scenarios.indices where index % of != part - 1 { report.scenarios[index].support = [:] }
        return report
    }
}
