import Conformance
import Foundation
import FoundationXML
import Lab
import ScenarioLanguage
import Testing

@testable import Harness
@testable import LinkEngines

/// The program's exit statuses and messages, as CI systems and users get them.
@Suite(.enabled(if: Doctor.examine().canRun, "this machine cannot build a lab: see crosswind doctor"))
struct ProgramOutputTests {
    private static let good = """
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

    private static let anywhere = good.replacing("network: { wifi: perfect }\n", with: "")

    private func with(_ body: (BuiltProgram) throws -> Void) throws {
        let program = try BuiltProgram()
        defer { program.remove() }
        try body(program)
    }

    @Test func `an invalid file is reported with its place, nothing is run, and the status is 2`() throws {
        try with { program in
            let path = try program.write("bad.yaml", Self.good.replacing("wifi: perfect", with: "wifi: perfekt"))
            for command in ["validate", "run"] {
                let ended = try program.run([command, path])
                #expect(ended.status == 2)
                #expect(ended.errors.contains("\(path):3:18: "))
                #expect(ended.errors.contains("`perfect`"))
            }
            #expect(!FileManager.default.fileExists(atPath: program.folder + "/.crosswind"))
        }
    }

    @Test(arguments: [
        ["run", "--adapter", "nosuchadapter"], ["run", "nosuch.yaml"], ["run", "--jobs", "0"],
        ["run", "--engine", "steam"],
        ["run", "--shard", "3/2"], ["exec", "--network", "nosuch", "--", "true"], ["exec"], ["explain", "NOPE-99"],
        ["fly"],
    ])
    func `wrong usage gives one message and status 2`(_ arguments: [String]) throws {
        try with { program in
            let ended = try program.run(arguments)
            #expect(ended.status == 2, "\(ended.errors)")
            #expect(!ended.errors.isEmpty)
        }
    }

    @Test func `an expected result gives status 0, an unexpected failure or an outdated baseline line 1`() throws {
        try with { program in
            let good = try program.write("good.yaml", Self.good)
            let wrong = try program.write("wrong.yaml", Self.good.replacing("error: none", with: "error: timedOut"))
            let common = ["--adapter", "python"]
            #expect(try program.run(["run", good, "--out", program.folder + "/1"] + common).status == 0)
            let failed = try program.run(["run", wrong, "--out", program.folder + "/2"] + common)
            #expect(failed.status == 1)
            #expect(failed.output.contains("expected:") && failed.output.contains("found:"))
            let known = try program.write(
                "known.yaml", "- { scenario: wrong, outcome: fail, kind: wrong, reason: it is }")
            #expect(
                try program.run(["run", wrong, "--out", program.folder + "/3", "--baseline", known] + common).status
                    == 0)
            let stale = try program.write("stale.yaml", "- { scenario: good, outcome: fail, reason: it was }")
            let passed = try program.run(["run", good, "--out", program.folder + "/4", "--baseline", stale] + common)
            #expect(passed.status == 1)
            #expect(passed.output.contains("unexpected"))
        }
    }

    /// The client's process makes a broken pipe an error of each later line; the shell reports the status of the run.
    @Test func `a run whose output is not read ends with its own status and its reports`() throws {
        try with { program in
            let path = try program.write("good.yaml", Self.good)
            let crosswind = program.layout.programFolder + "/crosswind"
            let shell = Process()
            shell.executableURL = URL(fileURLWithPath: "/bin/bash")
            shell.arguments = [
                "-c",
                "cd '\(program.folder)'; '\(crosswind)' run '\(path)' --adapter adaptable --junit j.xml | true; "
                    + "exit ${PIPESTATUS[0]}",
            ]
            try shell.run()
            shell.waitUntilExit()
            #expect(shell.terminationReason == .exit && shell.terminationStatus == 0)
            #expect(try program.text("j.xml").contains("<testcase"))
        }
    }

    @Test func `every JUnit testcase is one scenario and a failure contains expected and found`() throws {
        try with { program in
            let files = [
                try program.write("good.yaml", Self.good),
                try program.write("wrong.yaml", Self.good.replacing("error: none", with: "error: timedOut")),
            ]
            let junit = program.folder + "/junit.xml"
            _ = try program.run(
                ["run"] + files + ["--adapter", "python", "--out", program.folder + "/o", "--junit", junit])
            let document = try XMLDocument(contentsOf: URL(fileURLWithPath: junit))
            let cases = try document.nodes(forXPath: "//testcase")
            #expect(
                cases.compactMap { ($0 as? XMLElement)?.attribute(forName: "name")?.stringValue }.sorted() == [
                    "good", "wrong",
                ])
            let failures = try document.nodes(forXPath: "//testcase[@name='wrong']/failure")
            #expect(failures.count == 1)
            let text = failures.first?.stringValue ?? ""
            #expect(text.contains("expected:") && text.contains("found:") && text.contains("timedOut"))
        }
    }

    @Test func `shards divide the scenarios without loss or overlap`() throws {
        try with { program in
            var seen: [String] = []
            for shard in 1...2 {
                let ended = try program.run(
                    [
                        "run", program.layout.folder + "/Scenarios/auth", "--shard", "\(shard)/2", "--adapter",
                        "python", "--out", "\(program.folder)/\(shard)",
                    ])
                #expect(ended.status == 0)
                seen += ended.output.split(separator: "\n").compactMap {
                    let words = $0.split(separator: " ")
                    return words.count > 1 && words[1].hasPrefix("auth/")
                        && ["pass", "fail", "unsupported", "skipped"].contains(words[0]) ? String(words[1]) : nil
                }
            }
            let all = try ScenarioFiles.find(in: [program.layout.folder + "/Scenarios/auth"]).flatMap {
                try ScenarioReader.cases(path: $0, checks: CheckCatalogue.all).get().scenarios.map(\.id)
            }
            #expect(seen.sorted() == all.sorted())
        }
    }

    @Test func `the evidence of an earlier run is never overwritten`() throws {
        try with { program in
            let good = try program.write("good.yaml", Self.good)
            let arguments = ["run", good, "--adapter", "python", "--out", program.folder + "/o"]
            #expect(try program.run(arguments).status == 0)
            let record = try program.text("o/good/record.jsonl")
            let second = try program.run(arguments)
            #expect(second.status == 3)
            #expect(second.errors.contains("--out"))
            #expect(try program.text("o/good/record.jsonl") == record)
        }
    }

    @Test(arguments: ["summary.json", "matrix.json", "sweep.json", "control"])
    func `a folder with the results of any command is refused`(name: String) throws {
        let folder = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
        #expect(throws: HarnessError.self) { try ArtifactDirectory.make(folder) }
        try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        #expect(try ArtifactDirectory.make(folder).path == folder)
    }

    @Test func `an adapter that does not start is named`() throws {
        try with { program in
            let good = try program.write("good.yaml", Self.good)
            let ended = try program.run([
                "run", good, "--adapter", "/nonexistent/adapter", "--out", program.folder + "/o",
            ])
            #expect(ended.status == 2)
            #expect((ended.output + ended.errors).contains("/nonexistent/adapter"))
        }
    }

    /// The id of a run on a user's network is in the console, JUnit, the record and its folder, and `replay` finds the file.
    @Test func `a run on a network is reported under its own id`() throws {
        try with { program in
            let good = try program.write("good.yaml", Self.anywhere)
            let network = try program.write("office.yaml", "summary: The office\nnetwork: { wired: cable }\n")
            let ended = try program.run([
                "run", good, "--network", "lte,\(network)", "--adapter", "python", "--junit", "\(program.folder)/j.xml",
                "--out", "\(program.folder)/o",
            ])
            #expect(ended.status == 0, "\(ended.output) \(ended.errors)")
            let junit = try program.text("j.xml")
            for id in ["good@lte", "good@office"] {
                #expect(ended.output.contains(id))
                #expect(junit.contains("name=\"\(id)\""))
                #expect(try program.text("o/\(id)/record.jsonl").contains(id))
            }
            let replayed = try program.run([
                "replay", "\(program.folder)/o/good@office", "--out", "\(program.folder)/r",
            ])
            #expect(replayed.output.contains("replayed: pass"), "\(replayed.output) \(replayed.errors)")
        }
    }

    @Test(arguments: [
        (["--network", "ltf"], "crosswind: --network: unknown network `ltf`; did you mean `lte`?"),
        (["--network", "none.yaml"], "does not exist"),
    ])
    func `an unknown network is wrong usage`(arguments: [String], error: String) throws {
        try with { program in
            let good = try program.write("good.yaml", Self.anywhere)
            let ended = try program.run(["run", good] + arguments)
            #expect(ended.status == 2)
            #expect(ended.errors.contains(error) && ended.errors.split(separator: "\n").count == 1, "\(ended.errors)")
        }
    }

    @Test func `exec runs the program inside the lab and returns its status`() throws {
        try with { program in
            let ended = try program.run(
                [
                    "exec", "--network", "perfect", "--", "sh", "-c",
                    "cat /etc/resolv.conf; env | grep -ci '_proxy=' ; cat /proc/net/dev; exit 7",
                ], environment: ["http_proxy": "http://127.0.0.1:9", "ALL_PROXY": "http://127.0.0.1:9"])
            #expect(ended.status == 7)
            #expect(ended.output.contains("nameserver \(Addressing.names4)"))
            #expect(ended.output.contains("\n0\n"))
            #expect(ended.output.contains("wlan0") && !ended.output.contains("eth0"))
        }
    }

    @Test func `explain, list, schema and doctor print their output`() throws {
        try with { program in
            #expect(try program.run(["explain", "DNLD-09"]).output.contains("resume/reset-at-byte"))
            #expect(try program.run(["explain", "resume/reset-at-byte"]).output.contains("DNLD-09"))
            #expect(try program.run(["list"]).output.contains("resume/reset-at-byte"))
            let schema = try program.run(["schema"]).output
            #expect(try JSONSerialization.jsonObject(with: Data(schema.utf8)) is [String: Any])
            #expect(try program.run(["doctor"]).status == 0)
        }
    }

    @Test func `a file that cannot be written is named with the reason and the option, and a full disk too`() throws {
        try with { program in
            let good = try program.write("good.yaml", Self.good)
            let run = try program.run(["run", good, "--out", good])
            #expect(run.status == 3)
            #expect(run.errors.contains("cannot write \(good): File exists") && run.errors.contains("with --out"))
            let exec = ["exec", "--network", "perfect", "--capture"]
            let folder = try program.run(exec + [program.folder, "--", "true"])
            #expect(folder.status == 3)
            #expect(folder.errors.contains("Is a directory") && folder.errors.contains("with --capture"))
            let full = try program.run(exec + ["/dev/full", "--", "true"])
            #expect(full.status == 0)
            #expect(full.errors.contains("the capture /dev/full is incomplete: No space left on device"))
        }
    }

    @Test func `the baseline may be /dev/null, and a record that was cut short is shown as such`() throws {
        try with { program in
            let wrong = try program.write("wrong.yaml", Self.good.replacing("error: none", with: "error: timedOut"))
            let out = program.folder + "/out"
            let arguments = ["run", wrong, "--adapter", "python", "--out", out, "--baseline", "/dev/null"]
            #expect(try program.run(arguments).status == 1)
            let whole = try program.text("out/wrong/record.jsonl")
            #expect(try program.run(["show", out + "/wrong"]).output.contains("cut short") == false)
            let cut = try program.write("cut.jsonl", whole.split(separator: "\n").dropLast().joined(separator: "\n"))
            #expect(try program.run(["show", cut]).output.hasSuffix("The record ends here: the run was cut short.\n"))
        }
    }
}
