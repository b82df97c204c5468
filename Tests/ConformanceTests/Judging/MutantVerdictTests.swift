import Testing

@testable import Record
@testable import ScenarioLanguage
@testable import Conformance

/// Tests that only a scenario that proves a broken requirement, and that the correct session passes, can catch a
/// mutant.
@Suite struct MutantVerdictTests {
    private let mutant = Mutant(name: "retries-post", breaks: ["ERRR-07"], what: "sends a POST again")
    private let failed = Outcome.fail(.wrong, [])

    private func finding(control: [String: Outcome], _ outcomes: [String: Outcome]) -> MutantVerdict.Finding {
        MutantVerdict(mutant, control: control, outcomes: outcomes).finding
    }

    @Test func `a scenario that only the mutant fails catches it`() {
        #expect(finding(control: ["a": .pass, "b": .pass], ["b": failed, "a": .pass]) == .caught(by: ["b"]))
    }

    @Test func `a scenario that the correct session fails too catches nothing`() {
        #expect(
            finding(control: ["a": failed], ["a": failed])
                == .notEvaluated("the correct session does not pass any scenario that claims ERRR-07"))
        #expect(finding(control: ["a": failed, "b": .pass], ["a": failed, "b": .pass]) == .survived(["b"]))
    }

    @Test func `a mutant that passes everything has survived`() {
        #expect(finding(control: ["a": .pass, "b": .pass], ["a": .pass, "b": .pass]) == .survived(["a", "b"]))
    }

    @Test func `an error of the machine neither catches a mutant nor clears it`() {
        #expect(finding(control: ["a": .pass], ["a": .error("no TUN")]) == .notEvaluated("a: error"))
        #expect(
            finding(control: ["a": .pass, "b": .pass], ["a": .error("no TUN"), "b": .pass]) == .notEvaluated("a: error")
        )
        #expect(
            finding(control: ["a": .pass, "b": .pass], ["a": .error("no TUN"), "b": failed]) == .caught(by: ["b"]))
    }

    @Test func `an error that leaves a mutant without a verdict is reported`() {
        func endedWithError(_ outcomes: [String: Outcome]) -> Bool {
            MutantVerdict(mutant, control: ["a": .pass, "b": .pass], outcomes: outcomes).endedWithError
        }
        #expect(endedWithError(["a": .error("too slow"), "b": .pass]))
        #expect(!endedWithError(["a": .error("too slow"), "b": failed]))
        #expect(!endedWithError(["a": .pass, "b": .pass]))
        #expect(!endedWithError(["c": .error("too slow"), "b": .pass]))
    }

    @Test func `a mutant whose requirement is not claimed is not judged`() {
        #expect(finding(control: [:], [:]) == .notEvaluated("no scenario claims ERRR-07"))
    }

    @Test func `a mutant runs against the scenarios that claim what it breaks`() throws {
        let claims = try scenario("[ERRR-07, DATA-01]")
        let other = try scenario("[DATA-01]")
        #expect(mutant.scenarios(among: [claims, other]).map(\.id) == [claims.id])
    }

    private func scenario(_ proves: String) throws -> Scenario {
        let text = """
            scenario: A body
            proves: \(proves)
            network: { wifi: perfect }
            origin:
              /a: { size: 1KiB }
            steps:
              - data: /a
                as: first
            expect:
              - completes: { task: first, error: none }
            """
        return try ScenarioReader.read(
            file: "Scenarios/a/\(proves.count).yaml", text: text, requirements: ["ERRR-07", "DATA-01"]
        ).get()
    }
}
