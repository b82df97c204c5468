import AdapterProtocol
import Record
import Testing

@testable import Conformance

/// The record of a program without an adapter: it lists no events, so every check of a callback is left out, even those
/// that every client can report.
@Suite struct ProgramVerdictTests {
    private static func verdict(_ checks: [String]) throws -> Verdict {
        var run = Run(reports: [])
        run.request(1, "/hello")
        run.answer(1, [HeaderField("Content-Length", "5")], bytes: 5)
        run.end()
        return Judge.verdict(scenario: try run.scenario(checks), entries: run.entries)
    }

    private static let callbacks = [
        "completes: { task: first, error: none }", "consistent: { task: first }",
        #"body: { task: first, text: "hello" }"#,
        "filesLeft: { count: 0 }", "memory: { growth: 1MiB }",
        "timing: { from: start, to: first.didComplete, atMost: 1s }", "succeeds: all",
        "begins: { task: first, atMost: 1s }", "closed: { connection: 1, by: client }", "relaunches: { count: 1 }",
        "request: { number: 1, bodyEquals: pattern }",
    ]

    @Test func `only the wire is judged`() throws {
        let verdict = try Self.verdict(Self.callbacks + ["requests: { count: 1 }"])
        #expect(verdict.outcome == .pass)
        #expect(verdict.checks.map(\.name) == ["requests"])
        #expect(
            verdict.notJudged.map(\.check) == [
                "completes", "consistent", "body", "filesLeft", "memory", "timing", "succeeds", "begins", "closed",
                "relaunches", "request",
            ])
    }

    @Test func `a wrong wire fails`() throws {
        guard case .fail(.wrong, let mismatches) = try Self.verdict(Self.callbacks + ["requests: { count: 2 }"]).outcome
        else {
            Issue.record("the number of requests was not judged")
            return
        }
        #expect(mismatches.map(\.check) == ["requests"])
    }

    @Test func `a program that was ended at its timeout does not pass`() throws {
        var run = Run(reports: [])
        run.request(1, "/hello")
        run.add(.adapter(.killed(Labelled(.limit, "the program still ran"))))
        let verdict = Judge.verdict(scenario: try run.scenario(["requests: { count: 1 }"]), entries: run.entries)
        guard case .fail(_, let mismatches) = verdict.outcome else {
            Issue.record("\(verdict.outcome)")
            return
        }
        #expect(mismatches.contains { $0.found.contains("the program still ran") })
    }

    @Test func `without a check of the wire nothing is judged`() throws {
        guard case .unsupported(let reason) = try Self.verdict(Self.callbacks).outcome else {
            Issue.record("callbacks were judged")
            return
        }
        #expect(reason.hasPrefix("nothing to judge"))
    }
}
