import Foundation
import Reports
import Testing

@testable import Harness

/// The program's sweeps, as users and CI systems run them.
@Suite(.enabled(if: Doctor.examine().canRun, "this machine cannot build a lab: see crosswind doctor"))
struct SweepProgramTests {
    private static let scenario = """
        scenario: A body
        proves: [DATA-01]
        network: { wifi: perfect }
        origin:
          /a: { text: "hello" }
        steps:
          - data: /a
            as: first
        expect:
          - completes: { task: first, error: none }
        """
    /// Points that every run reaches before its task can end. Packets differ from run to run, and a fault behind the last
    /// byte of a body may come after the next task began, which makes the case a missed one.
    private static let options = [
        "--adapter", "adaptable", "--fault", "reset,close", "--at", "connect,request,response-head",
        "--jobs", "2",
    ]

    private func with(_ body: (BuiltProgram, _ scenario: String) throws -> Void) throws {
        let program = try BuiltProgram()
        defer { program.remove() }
        try body(program, try program.write("body.yaml", Self.scenario))
    }

    @Test func `four shards as separate processes make the table of one run`() throws {
        try with { program, scenario in
            let whole = try program.run(["sweep", scenario, "--out", "whole"] + Self.options)
            #expect(whole.status == 0, "\(whole.output) \(whole.errors)")
            let shards = try (0..<4).map { index in
                try program.start(
                    ["sweep", scenario, "--out", "shards/\(index)", "--shard", "auto"] + Self.options,
                    environment: ["JOB_COMPLETION_INDEX": "\(index)", "JOB_COMPLETIONS": "4"])
            }
            for shard in shards {
                shard.waitUntilExit()
                #expect(shard.terminationStatus == 0)
            }
            let merged = try program.run(["merge", "shards", "--out", "merged"])
            #expect(merged.status == 0, "\(merged.errors)")
            func table(_ output: String) -> [Substring] {
                output.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("Results:") }
            }
            #expect(table(merged.output) == table(whole.output))
            #expect(table(whole.output).contains { $0.hasPrefix("reset ") })
            let page = try program.text("merged/sweep.html")
            #expect(page.contains("response-head"))
            let missing = try program.run(["merge", "shards/0", "shards/1", "shards/3"])
            #expect(missing.status == 2)
            #expect(missing.errors.contains("shard 3/4 is missing"))
        }
    }

    @Test func `rows and networks are swept and shrunk like scenarios of their own`() throws {
        try with { program, _ in
            let text = Self.scenario.replacing(
                "network: { wifi: perfect }", with: "parameters: [{ name: hi, body: hello }]"
            )
            .replacing("\"hello\"", with: "$body")
            let file = try program.write("row.yaml", text)
            let sweep = ["sweep", file, "--network", "lte,own", "--adapter", "adaptable", "--fault", "reset"]
            let swept = try program.run(sweep + ["--at", "request", "--out", "rows"])
            #expect(swept.status == 0, "\(swept.output) \(swept.errors)")
            let result = try program.text("rows/sweep.json")
            #expect(result.contains("row-hi-reset-at") && result.contains("row-hi-on-lte-reset-at"))
            let unknown = try program.run(["sweep", file, "--network", "lt"])
            #expect(unknown.status == 2 && unknown.errors.contains("did you mean `lte`"), "\(unknown.errors)")
            let own = try program.run(["sweep", try program.write("own.yaml", Self.scenario), "--network", "lte"])
            #expect(own.status == 2 && own.errors.contains("a network of its own"), "\(own.errors)")

            let wrong = try program.write("wrong.yaml", text.replacing("error: none", with: "error: timedOut"))
            let failed = try program.run([
                "run", wrong, "--network", "lte", "--adapter", "adaptable", "--out", "failed",
            ])
            #expect(failed.status == 1, "\(failed.output)")
            let shrunk = try program.run(["shrink", "failed/wrong[hi]@lte", "--runs", "9", "--out", "small"])
            #expect(shrunk.status == 0, "\(shrunk.errors)")
            #expect(shrunk.output.contains("timedOut"))
        }
    }

    @Test func `a sweep that cannot be done is one sentence and status 2`() throws {
        try with { program, scenario in
            let unknown = try program.run(["sweep", scenario, "--fault", "explode"])
            #expect(unknown.status == 2)
            #expect(unknown.errors.contains("unknown fault `explode`"))
            let wrong = Self.scenario.replacing("- data: /a", with: "- data: file:///a")
            let file = try program.write("nothing.yaml", wrong)
            let none = try program.run(["sweep", file, "--adapter", "adaptable", "--out", "none"])
            #expect(none.status == 2)
            #expect(
                none.errors.contains(
                    "nothing to inject a fault into: nothing: no task requests an http or https URL"), "\(none.errors)")
            for arguments in [["--shard", "5/4"], ["--shard", "auto"], ["--at", "nowhere"], ["--limit", "0"]] {
                #expect(try program.run(["sweep", scenario] + arguments).status == 2, "\(arguments)")
            }
            #expect(try program.run(["merge", program.folder]).status == 2)
        }
    }

    @Test func `a failing scenario is shrunk to what fails`() throws {
        try with { program, scenario in
            let text = Self.scenario.replacing("error: none", with: "error: timedOut")
                .replacing("  /a:", with: "  /unused: { text: \"x\" }\n  /a:")
            let file = try program.write("wrong.yaml", text)
            let ended = try program.run(["shrink", file, "--adapter", "adaptable", "--out", "small"])
            #expect(ended.status == 0, "\(ended.errors)")
            let small = try program.text("small/Scenarios/wrong.yaml")
            #expect(!small.contains("unused"))
            #expect(small.contains("timedOut"))
            let again = try program.run(["run", "small/Scenarios/wrong.yaml", "--adapter", "adaptable"])
            #expect(again.status == 1)
            let passing = try program.run(["shrink", scenario, "--adapter", "adaptable", "--out", "none"])
            #expect(passing.status == 2)
            #expect(passing.errors.contains("nothing to shrink"))
        }
    }
}
