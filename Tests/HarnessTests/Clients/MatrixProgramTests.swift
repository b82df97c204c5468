import Foundation
import Reports
import Testing

@testable import Harness

/// The program's matrices, as users and CI systems run them, with clients of their own in a project folder of their own.
@Suite(.enabled(if: Doctor.examine().canRun, "this machine cannot build a lab: see crosswind doctor"))
struct MatrixProgramTests {
    /// Three scenarios: two that every client passes, and one that each fails.
    private static func scenario(_ title: String, proves: String, requests: Int = 1) -> String {
        """
        scenario: \(title)
        proves: [\(proves)]
        network: { wifi: perfect }
        origin:
          /a: { text: "hello" }
        steps:
          - data: /a
            as: first
        expect:
          - completes: { task: first, error: none }
          - requests: { count: \(requests) }

        """
    }

    private static func client(_ name: String, _ program: String, version: String = "echo 1.0") -> String {
        """
        name: \(name)
        language: Swift
        \(program)
        version: \(version)
        install: see the README
        profile: http-client

        """
    }

    /// Makes a project folder with the real catalogue, scenarios `s/one`, `s/two` and `s/wrong`, and these clients.
    private func with(
        _ clients: [String: String], _ body: (BuiltProgram, _ environment: [String: String]) throws -> Void
    ) throws {
        let program = try BuiltProgram()
        defer { program.remove() }
        let manager = FileManager.default
        let home = program.folder + "/home"
        try manager.createDirectory(atPath: home + "/Scenarios", withIntermediateDirectories: true)
        try manager.createSymbolicLink(
            atPath: home + "/Scenarios/catalogue", withDestinationPath: program.layout.folder + "/Scenarios/catalogue")
        for (name, text) in clients {
            let folder = "\(home)/scripts/clients/\(name)"
            try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
            _ = try program.write("home/scripts/clients/\(name)/client.yaml", text)
        }
        try manager.createDirectory(atPath: home + "/Scenarios/s", withIntermediateDirectories: true)
        _ = try program.write("home/Scenarios/s/one.yaml", Self.scenario("One", proves: "RFC-FRAMING-01"))
        _ = try program.write("home/Scenarios/s/two.yaml", Self.scenario("Two", proves: "RFC-FRAMING-02"))
        _ = try program.write(
            "home/Scenarios/s/wrong.yaml", Self.scenario("Wrong", proves: "RFC-FRAMING-01", requests: 2))
        try body(program, ["CROSSWIND_HOME": home])
    }

    private func report(_ program: BuiltProgram, _ folder: String) throws -> MatrixReport {
        try MatrixReport.read(Array(program.text("\(folder)/\(MatrixReport.name)").utf8), file: folder)
    }

    @Test func `a matrix repeats what fails, and shards make the table of one run`() throws {
        let clients = [
            "one": Self.client("One", "adapter: adaptable"), "two": Self.client("Two", "adapter: adaptable"),
        ]
        try with(clients) { program, home in
            let baseline = "- { scenario: s/wrong, outcome: fail, reason: asks for a second request }\n"
            _ = try program.write("home/scripts/clients/one/baseline.yaml", baseline)
            let options = ["matrix", "home/Scenarios/s", "--clients", "all", "--jobs", "2", "--repeat", "2"]
            let ended = try program.run(options + ["--out", "whole"], environment: home)
            #expect(ended.status == 1, "\(ended.output) \(ended.errors)")
            #expect(ended.output.contains("not in a baseline: two: s/wrong"))
            #expect(!ended.output.contains("not in a baseline: one"))
            let whole = try report(program, "whole")
            let wrong = try #require(whole.scenarios.first { $0.id == "s/wrong" })
            #expect(wrong.support["one"]?.state == .wrong)
            #expect(wrong.support["one"]?.note == "asks for a second request")
            let pages = wrong.support["two"]?.runs.map(\.page)
            #expect(pages == ["runs/two/s/wrong.html", "runs/two/s/wrong-2.html"])
            for page in whole.pages { #expect(try program.text("whole/\(page)").contains("<!DOCTYPE html>")) }
            let row = try #require(whole.behaviours.first { $0.id == "RFC-FRAMING-01" })
            #expect(row.scenarios == ["s/one", "s/wrong"])
            #expect(whole.cell(of: row, "one").state == .partly)
            #expect(whole.clients.map(\.version) == ["1.0", "1.0"])

            for part in 1...2 {
                _ = try program.run(
                    options + ["--out", "shards/\(part)", "--shard", "\(part)/2"], environment: home)
            }
            let merged = try program.run(["merge", "shards", "--out", "merged"])
            #expect(merged.status == 1, "\(merged.errors)")
            for name in [MatrixReport.name, MatrixReport.page] {
                let (joined, single) = (try program.text("merged/\(name)"), try program.text("whole/\(name)"))
                #expect(joined == single, "\(name)")
            }
            #expect(try program.text("merged/runs/two/s/wrong-2.html").contains("<!DOCTYPE html>"))
            let missing = try program.run(["merge", "shards/1", "--out", "none"])
            #expect(missing.status == 2)
            #expect(missing.errors.contains("shard 2/2 is missing"))

            let readme = try program.write("README.md", "\(MatrixExcerpt.begin)\n\(MatrixExcerpt.end)\n")
            for status in [1, 0, 0] as [Int32] {
                let check = try program.run(["readme-matrix", "whole/matrix.json", readme, "--check"])
                #expect(check.status == status)
                #expect(try program.run(["readme-matrix", "whole/matrix.json", readme]).status == 0)
            }
            #expect(try program.text("README.md").contains("| One | 1.0 | 1 | 1 |"))
        }
    }

    @Test func `a client that is missing or wrong is one sentence, and the others still run`() throws {
        let clients = [
            "good": Self.client("Good", "adapter: adaptable"),
            "missing": Self.client("Missing", "adapter: ./none", version: "echo no such module >&2; exit 1"),
            "wrong": Self.client("Wrong", "command: curl -o {file}"),
        ]
        try with(clients) { program, home in
            func run(_ names: String, _ out: String, _ options: String...) throws -> BuiltProgram.Ended {
                try program.run(
                    ["matrix", "home/Scenarios/s/one.yaml", "--clients", names, "--out", out] + options,
                    environment: home)
            }
            let missing = try run("good,missing", "a")
            #expect(missing.status == 3)
            #expect(
                missing.errors.contains(
                    "Missing is not installed: its version command ended with status 1: no such module. Install it with: see the README"
                ))
            #expect(try report(program, "a").scenarios[0].support["good"]?.state == .right)
            #expect(try report(program, "a").clients.map(\.id) == ["good", "missing"])
            #expect(try run("good,missing", "b", "--installed").status == 0)
            #expect(try report(program, "b").clients.map(\.id) == ["good"])
            let wrong = try run("all", "c")
            #expect(wrong.status == 2)
            #expect(wrong.errors.contains("wrong/client.yaml:3:10: the command lacks {url}"))
            #expect(try report(program, "c").scenarios[0].support["good"]?.state == .right)
            let profile = try run("good", "d", "--profile", "urlsession")
            #expect(profile.status == 2)
            #expect(profile.errors.contains("Good is left out: it runs with the profile http-client"))
            let unknown = try run("goood", "e")
            #expect(unknown.status == 2)
            #expect(unknown.errors.contains("unknown client goood: choose some of good, missing, wrong, or all"))
            for options in [["--repeat", "0"], ["--jobs", "0"], ["--shard", "3/2"]] {
                #expect(try program.run(["matrix", "--clients", "good"] + options, environment: home).status == 2)
            }
        }
    }

    @Test func `run of a client that is not installed ends with the command that installs it`() throws {
        let client = Self.client("Gone", "adapter: python3 gone.py", version: "'false'")
        try with(["gone": client]) { program, home in
            let ended = try program.run(["run", "home/Scenarios/s/wrong.yaml", "--client", "gone"], environment: home)
            #expect(ended.status == 3, "\(ended.output) \(ended.errors)")
            #expect(ended.errors.contains("Gone is not installed"))
        }
    }

    @Test func `run takes a client by its name, with the baseline of its folder`() throws {
        try with(["mine": Self.client("Mine", "adapter: adaptable")]) { program, home in
            let wrong = "home/Scenarios/s/wrong.yaml"
            #expect(try program.run(["run", wrong, "--client", "mine", "--out", "a"], environment: home).status == 1)
            let baseline = "- { scenario: s/wrong, outcome: fail, reason: asks for a second request }\n"
            _ = try program.write("home/scripts/clients/mine/baseline.yaml", baseline)
            for option in ["--client", "--adapter"] {
                let ended = try program.run(["run", wrong, option, "mine", "--out", "b\(option)"], environment: home)
                #expect(ended.status == 0, "\(ended.output) \(ended.errors)")
            }
            let profile = try program.run(
                ["run", wrong, "--client", "mine", "--profile", "urlsession"], environment: home)
            #expect(profile.status == 2)
            #expect(profile.errors.contains("mine runs with the profile http-client, not with urlsession"))
            let unknown = try program.run(["run", wrong, "--client", "other"], environment: home)
            #expect(unknown.status == 2)
            #expect(unknown.errors.contains("unknown client other: choose some of mine, or all"))
        }
    }
}
