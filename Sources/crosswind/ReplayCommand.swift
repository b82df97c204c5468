import Conformance
import ArgumentParser
import Foundation
import Harness
import Lab
import LinkEngines
import Reports
import Record
import ScenarioLanguage

struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay", abstract: "Run a recorded scenario again with the packet decisions of its record.",
        discussion: """
            Each packet gets the decision that the record has for the packet of the same number: lost, delayed, duplicated, corrupted \
            or delivered. Timing, the origin and the implementation are live, so this shows whether a failure is caused by the network \
            conditions, and whether a fixed or different implementation survives them. The exit status is 0 when the outcome is the \
            recorded one.

            Example: crosswind replay .crosswind/latest/flaky-wifi/download-survives
            """)

    @Argument(help: "A record.jsonl, or the folder of a scenario's evidence.", completion: .file())
    var record: String

    @Option(help: "Use this adapter instead of the recorded one: a name or a command.")
    var adapter: String?

    @Option(help: "Folder for the new record (default: a new one under .crosswind).", completion: .directory)
    var out: String?

    func run() throws {
        try stopping { try Privilege.acquire() }
        let home = try stopping { try InstallLayout.find() }
        let earlier = try stopping { try EarlierRun.read(record) }
        let scenario = try self.scenario(earlier, home)
        let choice = try stopping { try AdapterChoice.parse(adapter ?? earlier.header.adapter, layout: home) }
        let folder = try stopping { try ArtifactDirectory.make(out) }
        let shown = SuiteDisplay(total: 1, nameWidth: scenario.id.count, baseline: .empty)
        let stopSignal = StopSignal()
        let suite = try stopping { () throws(HarnessError) in
            try SuiteRun(
                replaying: earlier, scenario: scenario, adapter: choice, out: folder.path, stop: stopSignal,
                observer: { shown.show($0) })
        }
        let interrupt = Interrupt { stopSignal.raise() }
        let results = try stopping { try suite.run() }
        shown.end()
        if interrupt.happened { throw stop(ExitCode(130), "interrupted; the record so far is in \(folder.path)") }
        guard let result = results.first else { return }
        print("\nrecorded: \(earlier.outcome.summary)\nreplayed: \(result.outcome.summary)")
        print("\(earlier.decisions.count) packet decisions of \(earlier.decisionsFile) were replayed")
        print("Record: \(result.recordFile ?? folder.path)")
        switch result.outcome {
        case .error: throw Status.machine
        case .pass, .fail, .unsupported, .skipped:
            if !result.outcome.isLike(earlier.outcome) { throw Status.unexpected }
        }
    }

    private func scenario(_ earlier: EarlierRun, _ home: InstallLayout) throws -> Scenario {
        let header = earlier.header
        for path in [header.file, home.folder + "/" + header.file] where FileManager.default.fileExists(atPath: path) {
            let wanted = header.networkFile ?? VariantID(header.scenario).network
            let cases = try SelectionOptions.parse([path]).cases(home, on: wanted.map { [$0] } ?? [])
            if let scenario = cases.scenarios.first(where: { $0.id == header.scenario }) { return scenario }
            throw stop(
                Status.usage,
                "\(path) does not have the run \(header.scenario) any more; its rows or networks have changed")
        }
        throw stop(
            Status.usage,
            "the record's scenario \(header.file) does not exist here; run this in the folder where the record was made"
        )
    }
}

extension Outcome {
    fileprivate var summary: String {
        switch self {
        case .pass: "pass"
        case .fail(let kind, let mismatches):
            "fail (\(kind.rawValue))"
                + (mismatches.first.map { ": \($0.check): expected \($0.expected), found \($0.found)" } ?? "")
        case .unsupported(let what): "unsupported: \(what)"
        case .skipped(let after): "skipped, because \(after) did not pass"
        case .error(let cause): "error: \(cause)"
        }
    }

    /// True for the same outcome and kind with the same failed checks.
    fileprivate func isLike(_ other: Outcome) -> Bool {
        switch (self, other) {
        case (.pass, .pass), (.unsupported, .unsupported), (.skipped, .skipped), (.error, .error): true
        case (.fail(let kind, let mismatches), .fail(let otherKind, let others)):
            kind == otherKind && Set(mismatches.map(\.check)) == Set(others.map(\.check))
        case (.pass, _), (.fail, _), (.unsupported, _), (.skipped, _), (.error, _): false
        }
    }
}
