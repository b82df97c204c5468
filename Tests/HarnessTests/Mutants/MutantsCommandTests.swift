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
