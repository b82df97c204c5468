import Conformance
import Lab
import NetworkMonitor
import Foundation
import Record
import ScenarioLanguage
import Synchronization
import Testing

@testable import Harness
import LinkEngines

/// Each miniature adapter has exactly one fault, which the harness must report. `correct` is the control: it passes
/// everything, and the others fail by their fault alone.
@Suite(.enabled(if: Doctor.examine().canRun, "this machine cannot build a lab: see crosswind doctor"))
struct MiniatureAdapterTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var adapter: String
        var scenario: Play
        var kind: Outcome.FailureKind?
        /// The check or invariant that finds the fault, and a word of its finding.
        var check: String?
        var found: String?

        init(
            _ adapter: String, _ scenario: Play, _ kind: Outcome.FailureKind? = nil, _ check: String? = nil,
            _ found: String? = nil
        ) {
            self.adapter = adapter
            self.scenario = scenario
            self.kind = kind
            self.check = check
            self.found = found
        }
        var testDescription: String { "\(adapter), \(scenario.rawValue): \(kind?.rawValue ?? "pass")" }
        var id: String { "\(adapter)/\(scenario.rawValue)" }
    }

    enum Play: String, Sendable {
        case data, resume, invalidate

        var text: String {
            switch self {
            case .data:
                """
                scenario: A body
                proves: [DATA-01]
                timeout: 5s
                requestBudget: 20
                network: { wifi: perfect }
                origin:
                  /a: { size: 64KiB }
                steps:
                  - data: /a
                    as: first
                expect:
                  - order: [first.didReceiveResponse, first.didReceiveData, first.didComplete]
                  - completes: { task: first, error: none }
                  - body: { task: first, equals: /a }
                  - filesLeft: { count: 0 }
                """
            case .resume:
                """
                scenario: A resumed download
                proves: [DNLD-10]
                timeout: 8s
                network: { wifi: perfect }
                origin:
                  /big: { size: 256KiB, etag: '"v1"' }
                  faults:
                    - { at: { responseBody: 100KiB }, for: { request: 1 }, do: reset }
                steps:
                  - download: /big
                    as: first
                  - await: first.didComplete
                  - download: { resumeData: first }
                    as: second
                expect:
                  - completes: { task: first, error: networkConnectionLost, resumeData: present }
                  - resumeOffset: { task: second, offset: sameAsOnTheWire }
                  - file: { task: second, equals: /big }
                """
            case .invalidate:
                """
                scenario: A session that is invalidated
                proves: [INVL-02]
                timeout: 8s
                network: { wifi: perfect }
                origin:
                  /a: { size: 64KiB }
                  faults:
                    - { at: { responseBody: 32KiB }, do: stall }
                steps:
                  - data: /a
                    as: first
                  - await: first.didReceiveData
                  - invalidate: main
                    cancel: true
                expect:
                  - completes: { task: first, error: cancelled }
                  - invalidated: { session: main }
                """
            }
        }
    }

    static let cases = [
        Case("correct", .data), Case("correct", .resume), Case("correct", .invalidate),
        Case("late", .data, .hang, nil, "first"),
        Case("silent", .data, .hang, nil, "hello"),
        Case("silent_task", .data, .hang, nil, "first"),
        Case("wrong_order", .data, .wrong, "response before data"),
        Case("double_completion", .data, .wrong, "one completion", "2"),
        Case("data_after_completion", .data, .wrong, "silence after completion", "didReceiveData"),
        Case("wrong_bytes", .data, .wrong, "body", "1000"),
        Case("missing_bytes", .data, .wrong, "body"),
        Case("leaves_file", .data, .wrong, "filesLeft", ".cache/kept"),
        Case("no_completion_error", .resume, .wrong, "completes", "no error"),
        Case("wrong_offset", .resume, .wrong, "resumeOffset"),
        Case("completes_after_invalidation", .invalidate, .wrong, "silence after invalidation"),
        Case("crash_mid_line", .data, .crash, nil, "11"),
        Case("exits_early", .data, .crash, nil, "3"),
        Case("garbage", .data, .violation), Case("wrong_version", .data, .violation, nil, "version"),
        Case("sequence_gap", .data, .violation), Case("liar", .data, .violation, nil, Handshake.nonsense),
        Case("stays", .data),
        Case("endless_data", .data, .flood), Case("request_flood", .data, .flood, nil, "20"),
    ]

    private struct Ended: Sendable {
        var outcome: Outcome
        var record: RecordFile
    }

    /// All runs at once, on threads of their own: most of them wait for a limit.
    private static let ended: [String: Ended] = {
        let results = Mutex<[String: Ended]>([:])
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cw-miniatures-\(UUID().uuidString)")
            .path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var threads: [DedicatedThread] = []
        for item in cases {
            let thread = try? DedicatedThread(name: "cw-miniature") {
                guard let ended = try? run(item, folder: "\(folder)/\(item.id)") else { return }
                results.withLock { $0[item.id] = ended }
            }
            if let thread { threads.append(thread) }
        }
        threads.removeAll()  // Waits for all of them.
        return results.withLock { $0 }
    }()

    private static func run(_ item: Case, folder: String) throws -> Ended {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("MiniatureAdapters/\(item.adapter).py").path
        var scenario = try ScenarioReader.read(file: "\(item.scenario).yaml", text: item.scenario.text).get()
        // A slow machine needs more time to count a flood.
        if item.kind == .flood { scenario.limit = .seconds(30) }
        let suite = try SuiteRun(
            scenarios: [scenario], adapter: AdapterChoice(name: item.adapter, command: ["python3", script]),
            engine: .auto,
            seed: 1, out: folder, keepsEverything: false, repetitions: 1, jobs: 1, observer: { _ in })
        let result = try #require(try suite.run().first)
        let path = try #require(result.recordFile)
        return Ended(
            outcome: result.outcome, record: RecordFile.read(try String(contentsOfFile: path, encoding: .utf8)))
    }

    @Test(arguments: cases)
    func `each fault leads to its expected outcome`(_ item: Case) throws {
        let ended = try #require(Self.ended[item.id])
        #expect(ended.record.isComplete)
        guard let kind = item.kind else {
            #expect(ended.outcome == .pass)
            return
        }
        guard case .fail(let found, let mismatches) = ended.outcome else {
            Issue.record("expected a failure, got \(ended.outcome)")
            return
        }
        #expect(found == kind, "\(mismatches)")
        let named = item.check.map { check in mismatches.filter { $0.check == check } } ?? mismatches
        #expect(!named.isEmpty, "\(item.check ?? "") is not among \(mismatches.map(\.check))")
        if let word = item.found {
            #expect(named.contains { $0.found.contains(word) }, "\(named.map(\.found))")
        }
        #expect(mismatches.allSatisfy { !$0.evidence.isEmpty }, "every mismatch has evidence in the record")
    }

    @Test func `the record names the adapter's process`() throws {
        let ended = try #require(Self.ended["correct/data"])
        let processes = ended.record.entries.compactMap { entry in
            if case .adapter(.started(let process, _)) = entry.fact { process } else { nil }
        }
        #expect(processes.count == 1 && processes.allSatisfy { $0 > 1 }, "\(processes)")
    }

    @Test func `the unfinished line of an adapter that crashes is kept`() throws {
        let ended = try #require(Self.ended["crash_mid_line/data"])
        let words = ended.record.entries.compactMap { entry in
            if case .adapter(.truncatedOutput(let text)) = entry.fact { text } else { nil }
        }
        #expect(words.count == 1)
        #expect(words.first?.hasPrefix("{") == true)
    }
}
