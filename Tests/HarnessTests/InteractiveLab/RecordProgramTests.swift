import AdapterProtocol
import Conformance
import Foundation
import Lab
import Record
import ScenarioLanguage
import Testing

@testable import Harness

/// `crosswind record` and `shell --record` with the built program; the file that they write is run.
@Suite(
    .serialized,
    .enabled(if: SessionRun.canRun, "needs a machine that can build a lab (crosswind doctor), python3 and curl"))
struct RecordProgramTests {
    private func with(_ body: (SessionRun) throws -> Void) throws {
        let run = try SessionRun()
        defer { run.end() }
        try body(run)
    }

    private func scenario(_ path: String) throws -> Scenario {
        switch ScenarioReader.read(path: path) {
        case .success(let scenario): return scenario
        case .failure(let found): throw found
        }
    }

    /// 1 MiB at the 240 kbit/s of edge would take 35 s, so the change comes in the middle of the response.
    @Test func `a change during a download of curl becomes a timeline, and the file runs`() throws {
        try with { run in
            let process = try run.start([
                "record", "--network", "edge", "--out", "recorded.yaml", "--", "sh", "-c",
                "curl -sS http://api.test/hello && curl -sS -m 60 -o /dev/null http://api.test/big",
            ])
            let lab = ["--lab", "\(process.processIdentifier)"]
            let isMoving = run.wait {
                guard let line = try? run.command(["watch", "--once", "--json"] + lab).output,
                    case .view(let view)? = try? ControlReply(line: Array(line.utf8))
                else { return false }
                return view.requests.contains { $0.target == "api.test/big" && ($0.bytes ?? 0) > 0 }
            }
            #expect(isMoving, "\(run.errors)")
            #expect(try run.command(["set"] + lab + ["wifi", "perfect"]).status == 0)
            process.waitUntilExit()
            #expect(process.terminationStatus == 0, "\(run.errors)")
            #expect(try run.program.text("output") == "hello\n")
            #expect(run.errors.contains("wrote recorded.yaml: 2 requests, 1 change"), "\(run.errors)")

            let path = run.program.folder + "/recorded.yaml"
            let text = try run.program.text("recorded.yaml")
            let scenario = try scenario(path)
            #expect(scenario.network.interfaces.map(\.link.name) == ["edge"])
            let urls = scenario.script.compactMap { if case .task(let task, _, _) = $0 { task.url } else { nil } }
            #expect(urls == ["http://api.test/hello", "http://api.test/big"])
            try #require(scenario.timeline.count == 1)
            switch scenario.timeline[0].trigger.moment {
            case .responseSent(let bytes, request: 2), .acknowledged(let bytes, request: 2):
                #expect(bytes > 0 && bytes < 1 << 20)
            case let other: Issue.record("\(other)")
            }
            #expect(
                scenario.timeline[0].changes.contains { change in
                    if case .link(.wifi, let link) = change { link.name == "perfect" } else { false }
                })

            let replayed = try run.command(["run", path, "--adapter", "adaptable", "--out", "replayed"])
            #expect(
                replayed.status == 0, "\(replayed.output)\(replayed.errors)\n\(text)")
        }
    }

    /// `train` has four changes; the file must be readable with them.
    @Test func `the scenario of a network of the catalogue has its NAT64 and its changes`() throws {
        try with { run in
            for network in ["nat64-lte", "train"] {
                let path = run.program.folder + "/\(network).yaml"
                let ended = try run.command([
                    "record", "--network", network, "--out", path, "--", "curl", "-sS", "http://api.test/hello",
                ])
                #expect(ended.status == 0 && ended.output == "hello\n", "\(ended.errors)")
                let scenario = try scenario(path)
                #expect((scenario.network.nat64?.clat == true) == (network == "nat64-lte"))
                #expect(scenario.timeline.count == (network == "train" ? 4 : 0))
            }
        }
    }

    @Test func `an existing file is kept, and a timeline is refused before the lab starts`() throws {
        try with { run in
            let path = try run.program.write("mine.yaml", "mine")
            let kept = try run.command(["record", "--out", path, "--", "true"])
            #expect(kept.status == 2 && kept.errors.contains("exists already; choose another name with --out"))
            let shell = try run.command(["shell", "--record", path])
            #expect(shell.status == 2 && shell.errors.contains("choose another name with --record"))
            #expect(try run.program.text("mine.yaml") == "mine")
            let timeline = try run.command(["record", "--timeline", path, "--", "true"])
            #expect(timeline.status == 2 && timeline.errors.contains("leave --timeline out"))
            let none = try run.command(["record", "--out", run.program.folder + "/no/a.yaml", "--", "true"])
            #expect(none.status == 2 && none.errors.contains("does not exist or is not writable"))
        }
    }

    /// Standard input is empty, so the shell ends at once.
    @Test func `a shell is recorded, and its status is that of the shell`() throws {
        try with { run in
            let path = run.program.folder + "/shell.yaml"
            let ended = try run.command(["shell", "--interface", "cellular=lte", "--record", path])
            #expect(ended.status == 0, "\(ended.errors)")
            #expect(ended.errors.contains("0 requests, 0 changes"), "\(ended.errors)")
            #expect(try scenario(path).network.interfaces.map(\.kind.rawValue) == ["cellular"])
        }
    }
}
