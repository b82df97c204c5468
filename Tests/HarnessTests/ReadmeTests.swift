import Lab
import Record
import Conformance
import Foundation
import ScenarioLanguage
import Testing

@testable import Harness
import LinkEngines

/// The README is up to date: its scenario equals the file, and its failing line is what a run finds today.
@Suite struct ReadmeTests {
    private let layout: InstallLayout
    private let text: String

    init() throws {
        layout = try InstallLayout.find()
        text = try String(contentsOfFile: try layout.file("README.md"), encoding: .utf8)
    }

    @Test func `the scenario shown equals the file it names`() throws {
        let path = "Scenarios/resume/reset-at-byte.yaml"
        #expect(text.contains("`\(path)`"))
        let file = try String(contentsOfFile: try layout.file(path), encoding: .utf8)
        #expect(text.contains("```yaml\n\(file)```"))
    }

    @Test func `every file it links to or names exists`() throws {
        for match in text.matches(of: /\]\(([^)]+)\)/) { _ = try layout.file(String(match.1)) }
        for match in text.matches(of: /`((?:scripts|Scenarios|Sources)\/[A-Za-z0-9_.\/-]+[A-Za-z0-9])`/)
        where !match.1.contains("ADAPTER") {
            _ = try layout.file(String(match.1))
        }
    }

    /// Needs a lab; `crosswind doctor` reports why a machine cannot build one.
    @Test(.enabled(if: Doctor.examine().canRun, "this machine cannot build a lab: see crosswind doctor"))
    func `the failing line shown equals the finding of a run`() throws {
        let path = try layout.file("Scenarios/redirect/post-307.yaml")
        let scenario = try ScenarioReader.read(path: path).get()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cw-readme-\(UUID().uuidString)")
            .path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let suite = try SuiteRun(
            scenarios: [scenario], adapter: try AdapterChoice.parse("foundation", layout: layout), engine: .auto,
            seed: 1,
            out: folder, keepsEverything: false, repetitions: 1, jobs: 1, observer: { _ in })
        guard case .fail(.wrong, let mismatches) = try suite.run().first?.outcome else {
            Issue.record("stock URLSession no longer fails this scenario; the README needs another example")
            return
        }
        for mismatch in mismatches {
            #expect(text.contains("\(mismatch.check) (Scenarios/redirect/post-307.yaml:\(mismatch.line ?? 0))"))
            #expect(text.contains("expected: \(mismatch.expected)"))
            #expect(text.contains("found:    \(mismatch.found)"))
        }
    }
}
