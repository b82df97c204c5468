import Foundation
import Testing

@testable import Harness

/// The command from the command line, against a miniature adapter with one faulty mutant, one harmless one, and one
/// whose requirement no scenario claims.
@Suite(.enabled(if: Doctor.examine().canRun, "this machine cannot build a lab: see crosswind doctor"))
struct MutantsCommandTests {
    private let scenario = """
        scenario: A body
        proves: [DATA-01]
        timeout: 5s
        network: { wifi: perfect }
        origin:
          /a: { size: 1KiB }
        steps:
          - data: /a
            as: first
        expect:
          - completes: { task: first, error: none }
          - body: { task: first, equals: /a }
        """

    private func adapter(_ program: BuiltProgram) throws -> String {
        "python3 '\(try program.layout.file("Tests/HarnessTests/MiniatureAdapters/mutants.py"))'"
    }

    @Test func `a faulty session is caught, a correct one survives, and the status reflects it`() throws {
        let program = try BuiltProgram()
        defer { program.remove() }
        let file = try program.write("body.yaml", scenario)
        let ended = try program.run([
            "mutants", "--adapter", try adapter(program), "--scenarios", file, "--out", program.folder + "/out",
        ])
        #expect(ended.status == 1, "\(ended.errors)")
        let lines = ended.output.split(separator: "\n").map(String.init)
        #expect(
            lines.contains { $0.hasPrefix("wrong-bytes  DATA-01") && $0.contains("caught") && $0.hasSuffix("body") })
        #expect(lines.contains { $0.hasPrefix("harmless     DATA-01") && $0.contains("SURVIVED") })
        #expect(lines.contains { $0.hasPrefix("unclaimed    H2-01") && $0.hasSuffix("no scenario claims H2-01") })
        #expect(lines.contains("3 mutants: 1 caught, 1 survived, 1 not judged"))
        #expect(FileManager.default.fileExists(atPath: program.folder + "/out/wrong-bytes/body/record.jsonl"))
    }

    @Test func `the status is 0 when every selected mutant is caught`() throws {
        let program = try BuiltProgram()
        defer { program.remove() }
        let file = try program.write("body.yaml", scenario)
        let ended = try program.run([
            "mutants", "wrong-bytes", "--adapter", try adapter(program), "--scenarios", file, "--out",
            program.folder + "/out",
        ])
        #expect(ended.status == 0, "\(ended.errors)")
        #expect(ended.output.contains("1 mutants: 1 caught"))
    }

    @Test func `the passes of an earlier run take the place of the correct session`() throws {
        let program = try BuiltProgram()
        defer { program.remove() }
        let file = try program.write("body.yaml", scenario)
        let control = program.folder + "/control"
        let run = try program.run(["run", file, "--adapter", try adapter(program), "--out", control])
        #expect(run.status == 0, "\(run.errors)")
        let arguments = ["mutants", "--adapter", try adapter(program), "--scenarios", file, "--control", control]
        let ended = try program.run(arguments + ["--out", program.folder + "/out"])
        #expect(ended.output.contains("3 mutants: 1 caught, 1 survived, 1 not judged"), "\(ended.errors)")
        #expect(!ended.output.contains("correct session"))
        #expect(!FileManager.default.fileExists(atPath: program.folder + "/out/control"))

        // A scenario that the correct session failed proves nothing.
        let summary = try String(contentsOfFile: control + "/summary.json", encoding: .utf8)
        let failed = summary.replacing(#""outcome": "pass""#, with: #""outcome": "fail""#)
        #expect(failed != summary)
        try failed.write(toFile: control + "/summary.json", atomically: true, encoding: .utf8)
        let useless = try program.run(arguments + ["wrong-bytes", "--out", program.folder + "/useless"])
        #expect(useless.output.contains("1 mutants: 0 caught, 0 survived, 1 not judged"), "\(useless.output)")

        // A scenario that the earlier run lacks runs now. A number that no duration holds is only compared.
        let other = summary.replacing(#""scenario": "body""#, with: #""scenario": "other""#)
            .replacing(#/"seconds": [0-9.]+/#, with: #""seconds": 1e300"#)
        #expect(other != summary)
        try other.write(toFile: control + "/summary.json", atomically: true, encoding: .utf8)
        let lacking = try program.run(arguments + ["wrong-bytes", "--out", program.folder + "/lacking"])
        #expect(lacking.output.contains("correct session: 1 scenarios"), "\(lacking.errors)")
        #expect(lacking.output.contains("1 mutants: 1 caught"), "\(lacking.output)")
    }

    /// The kernel engine does not report single packets, so each run ends with an error.
    @Test func `a mutant that ended with an error is judged again when the others have ended`() throws {
        let program = try BuiltProgram()
        defer { program.remove() }
        let timeline = "timeline:\n  - { when: { packet: 900, direction: downlink, on: wifi }, set: { wifi: down } }\n"
        let file = try program.write("body.yaml", scenario.replacing("expect:", with: timeline + "expect:"))
        let control = program.folder + "/control"
        let run = try program.run(["run", file, "--adapter", try adapter(program), "--out", control])
        #expect(run.status == 0, "\(run.errors)")
        let ended = try program.run([
            "mutants", "--adapter", try adapter(program), "--scenarios", file, "--control", control, "--engine",
            "kernel",
            "--out", program.folder + "/out",
        ])
        #expect(ended.output.contains("3 mutants: 0 caught, 0 survived, 3 not judged"), "\(ended.output)")
        let folders = try FileManager.default.contentsOfDirectory(atPath: program.folder + "/out")
        #expect(folders.filter { $0.hasSuffix("-alone") }.sorted() == ["harmless-alone", "wrong-bytes-alone"])
    }

    @Test(arguments: [
        ("", "No such file or directory"), ("{", "this is not the summary of a run"),
        (#"{"crosswind":"summary","version":9,"runs":[]}"#, "this version can read"),
        (
            #"{"crosswind":"summary","version":1,"runs":[{"scenario":"a","adapter":"foundation","outcome":"pass","seconds":1}]}"#,
            "it is a run of foundation"
        ),
    ])
    func `a control that is not an earlier run of the adapter is refused`(text: String, reason: String) throws {
        let program = try BuiltProgram()
        defer { program.remove() }
        if !text.isEmpty { _ = try program.write("summary.json", text) }
        let ended = try program.run([
            "mutants", "--adapter", try adapter(program), "--control", program.folder, "--out", program.folder + "/out",
        ])
        #expect(ended.status == 2)
        #expect(ended.errors.contains("\(program.folder)/summary.json: ") && ended.errors.contains(reason))
        #expect(ended.errors.split(separator: "\n").count == 1, "\(ended.errors)")
    }

    @Test(arguments: [false, true])
    func `a mutant ends at the first scenario that catches it, unless all are requested`(isExhaustive: Bool) throws {
        let program = try BuiltProgram()
        defer { program.remove() }
        // Two run at once, so at most two have started when the first of them has failed.
        let names = ["a", "b", "c", "d"]
        let files = try names.map { try program.write("\($0).yaml", scenario) }
        let ended = try program.run(
            ["mutants", "wrong-bytes", "--adapter", try adapter(program), "--out", program.folder + "/out"]
                + files.flatMap { ["--scenarios", $0] } + (isExhaustive ? ["--exhaustive"] : []))
        #expect(ended.status == 0, "\(ended.errors)")
        let played = names.filter {
            FileManager.default.fileExists(atPath: program.folder + "/out/wrong-bytes/\($0)/record.jsonl")
        }
        #expect(isExhaustive ? played == names : (1...2).contains(played.count), "\(played)")
    }

    @Test func `the list describes each mutant, and an adapter without mutants is refused`() throws {
        let program = try BuiltProgram()
        defer { program.remove() }
        let listed = try program.run(["mutants", "--list", "--adapter", try adapter(program)])
        #expect(listed.status == 0)
        #expect(listed.output.contains("wrong-bytes  DATA-01  changes a byte of each piece"))
        let none = try program.run([
            "mutants", "--list", "--adapter",
            "python3 '\(try program.layout.file("Tests/HarnessTests/MiniatureAdapters/exits_early.py"))'",
        ])
        #expect(none.status == 2)
        #expect(none.errors.contains("cannot use the mutants of the adapter"))
    }
}
