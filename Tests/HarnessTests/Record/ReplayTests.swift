import Foundation
import Testing

@testable import Harness

/// The packet decisions of a run are repeated from the log alone: the test edits the log, and the new run must show the
/// change, which no seed could have caused.
@Suite(.enabled(if: Doctor.examine().canRun, "this machine cannot build a lab: see crosswind doctor"))
struct ReplayTests {
    private static let scenario = """
        scenario: A body
        proves: [DATA-01]
        network:
          wifi: { downlink: { delay: 10ms, loss: { packets: [6] } }, uplink: { delay: 3ms } }
        origin:
          /a: { size: 64KiB }
        steps:
          - data: /a
            as: first
        expect:
          - completes: { task: first, error: none }
        """

    /// Runs the scenario once; returns the program and the folder of its evidence.
    private func recorded() throws -> (program: BuiltProgram, folder: String) {
        let program = try BuiltProgram()
        let path = try program.write("body.yaml", Self.scenario)
        let ended = try program.run(["run", path, "--adapter", "python", "--out", "first"])
        #expect(ended.status == 0, "\(ended.output)\(ended.errors)")
        let files = try FileManager.default.subpathsOfDirectory(atPath: program.folder + "/first")
        let record = try #require(files.first { $0.hasSuffix("record.jsonl") })
        return (program, "\(program.folder)/first/\(record.dropLast("/record.jsonl".count))")
    }

    @Test func `the log contains the packets that were not delivered unchanged, and nothing else`() throws {
        let (program, folder) = try recorded()
        defer { program.remove() }
        #expect(
            try String(contentsOfFile: folder + "/decisions.txt", encoding: .utf8)
                == "crosswind decisions 2\nwifi downlink 6 lost\n")
    }

    @Test func `a replay takes its decisions from the log`() throws {
        let (program, folder) = try recorded()
        defer { program.remove() }
        let log = "crosswind decisions 2\nwifi downlink 7 lost\nwifi downlink 9 dup\nwifi uplink 4 delay+40000000\n"
        try log.write(toFile: folder + "/decisions.txt", atomically: true, encoding: .utf8)
        let ended = try program.run(["replay", folder, "--out", "second"])
        #expect(ended.status == 0, "\(ended.output)\(ended.errors)")
        #expect(ended.output.contains("recorded: pass\nreplayed: pass\n3 packet decisions"))
        let files = try FileManager.default.subpathsOfDirectory(atPath: program.folder + "/second")
        let again = try #require(files.first { $0.hasSuffix("decisions.txt") })
        let lines = try String(contentsOfFile: "\(program.folder)/second/\(again)", encoding: .utf8).split(
            separator: "\n"
        ).sorted()
        #expect(lines == log.split(separator: "\n").sorted())
    }

    @Test(arguments: [
        ("crosswind decisions 1\n", "does not begin with"),
        ("crosswind decisions 2\nwifi sideways 1 lost\n", "line 2 does not name an interface"),
        ("crosswind decisions 2\nwifi downlink 1 vanished\n", "`vanished` is unknown"), ("", "does not begin with"),
    ])
    func `an invalid log is refused with the line and status 2`(log: String, says: String) throws {
        let (program, folder) = try recorded()
        defer { program.remove() }
        try log.write(toFile: folder + "/decisions.txt", atomically: true, encoding: .utf8)
        let ended = try program.run(["replay", folder])
        #expect(ended.status == 2)
        #expect(ended.errors.contains(says), "\(ended.errors)")
    }

    @Test func `a file that is not a record is refused`() throws {
        let program = try BuiltProgram()
        defer { program.remove() }
        for path in ["none", try program.write("x.jsonl", "{}\n"), program.folder] {
            let ended = try program.run(["replay", path])
            #expect(ended.status == 2)
            #expect(ended.errors.contains("record"), "\(ended.errors)")
        }
    }

    @Test func `a record is shown as text and as a page with its timeline`() throws {
        let (program, folder) = try recorded()
        defer { program.remove() }
        let text = try program.run(["show", folder])
        #expect(text.status == 0)
        #expect(text.output.contains("request 1 (connection 1, exchange 1): GET /a"))
        #expect(try program.run(["show", folder, "--html", "run.html", "--svg", "run.svg"]).status == 0)
        let page = try program.text("run.html")
        for words in [
            "<svg", "connection 1", "wifi downlink", "dropped: loss", "first.didComplete: no error", "</html>",
        ] {
            #expect(page.contains(words), "\(words)")
        }
        #expect(try program.text("run.svg").hasSuffix("</svg>"))
    }
}
