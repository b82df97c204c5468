import AdapterProtocol
import Conformance
import Foundation
import Lab
import Record
import ScenarioLanguage
import Testing

@testable import Harness
import LinkEngines

/// Each of these background clients has exactly one fault, which the checks of background transfers must find;
/// `background_correct` passes every scenario.
@Suite(.enabled(if: Doctor.examine().canRun, "this machine cannot build a lab: see crosswind doctor"))
struct BackgroundAdapterTests {
    enum Play: String, CaseIterable, Sendable {
        case crash, two, twice, early, power, daemon

        /// Every scenario ends with a check that its control passes and one fault fails.
        var text: String {
            switch self {
            case .crash:
                """
                scenario: A download continues after the app crashed
                timeout: 15s
                # The rest of the body takes a second: the app has ended before.
                network:
                  wifi:
                    both: { rate: 1Mbit/s }
                origin:
                  /a: { size: 256KiB, etag: '"v1"' }
                session: { kind: background, identifier: updates }
                steps:
                  - download: /a
                    as: first
                  - await: { responseSent: 100KiB }
                  - app: crash
                  - await: { relaunch: 1 }
                  - app: launch
                  - await: main.didFinishEvents
                expect:
                  - completes: { task: first, error: none }
                  - file: { task: first, equals: /a }
                  - relaunches: { count: 1, argument: updates }
                  - connectionOwner: { program: daemon }
                  - deliveredOnce: { session: main }
                  - filesLeft: { count: 0, below: container }
                """
            case .two:
                """
                scenario: The app is launched once for two tasks
                timeout: 15s
                network: { wifi: perfect }
                origin:
                  /a: { size: 1KiB, delay: 1s }
                  /b: { size: 1KiB, delay: 2s }
                session: { kind: background, identifier: updates }
                steps:
                  - download: /a
                    as: first
                  - download: /b
                    as: second
                  - await: { request: 2 }
                  - app: terminate
                  - await: { relaunch: 1, after: 2s }
                  - app: launch
                  - await: main.didFinishEvents
                expect:
                  - completes: { task: first, error: none }
                  - completes: { task: second, error: none }
                  - relaunches: { count: 1 }
                  - deliveredOnce: { session: main, inOrder: true }
                """
            case .twice:
                """
                scenario: A completion that the app has acknowledged is not delivered again
                timeout: 15s
                network: { wifi: perfect }
                origin:
                  /a: { size: 1KiB }
                session: { kind: background, identifier: updates }
                steps:
                  - download: /a
                    as: first
                    wait: true
                  - await: { sinceStart: 1s }
                  - app: terminate
                  - app: launch
                  - await: main.didFinishEvents
                expect:
                  - completes: { task: first, error: none }
                """
            case .early:
                """
                scenario: A task with a begin date does not begin before it
                timeout: 15s
                network: { wifi: perfect }
                clock: { scale: 100 }
                origin:
                  /a: { size: 1KiB }
                session: { kind: background, identifier: updates }
                steps:
                  - download: /a
                    as: first
                    earliestBegin: 10min
                    wait: true
                expect:
                  - begins: { task: first, atLeast: 10min }
                  - completes: { task: first, error: none }
                """
            case .power:
                """
                scenario: A discretionary task waits for external power
                timeout: 15s
                power: battery
                battery: 40%
                network: { wifi: perfect }
                origin:
                  /a: { size: 1KiB }
                session: { kind: background, identifier: updates, discretionary: true }
                steps:
                  - download: /a
                    as: first
                  - await: { sinceStart: 1s }
                  - set: { power: external }
                  - await: first.didComplete
                expect:
                  - transfersWhile: { power: external }
                  - completes: { task: first, error: none }
                """
            case .daemon:
                """
                scenario: A suspended daemon resumes its work when it is continued
                timeout: 15s
                network: { wifi: perfect }
                origin:
                  /a: { size: 256KiB }
                session: { kind: background, identifier: updates }
                steps:
                  - download: /a
                    as: first
                  - await: { responseSent: 100KiB }
                  - app: suspend
                  - daemon: suspend
                  - daemon: continue
                  - app: continue
                expect:
                  - file: { task: first, equals: /a }
                  - relaunches: { count: 0 }
                  - connectionOwner: { program: daemon }
                """
            }
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var adapter: String
        var play: Play
        /// The check or invariant that finds the fault; nil: the run passes.
        var check: String?
        var testDescription: String { "background_\(adapter), \(play.rawValue): \(check ?? "pass")" }
    }

    static let cases =
        Play.allCases.map { Case(adapter: "correct", play: $0) } + [
            Case(adapter: "twice", play: .twice, check: "one completion"),
            Case(adapter: "in_app", play: .daemon, check: "connectionOwner"),
            Case(adapter: "launches_each", play: .two, check: "relaunches"),
            Case(adapter: "early", play: .early, check: "begins"),
            Case(adapter: "ignores_power", play: .power, check: "transfersWhile"),
            Case(adapter: "leaves_file", play: .crash, check: "filesLeft"),
            Case(adapter: "finishes_first", play: .crash, check: "deliveredOnce"),
            Case(adapter: "wrong_identifier", play: .crash, check: "relaunches"),
            Case(adapter: "loses", play: .crash, check: "one completion"),
        ]

    @Test(arguments: cases)
    func `each fault of a background client is found`(_ item: Case) throws {
        let (outcome, record) = try run(item)
        guard let check = item.check else {
            #expect(outcome == .pass)
            return
        }
        guard case .fail(_, let mismatches) = outcome else {
            Issue.record("expected a failure, got \(outcome)")
            return
        }
        #expect(mismatches.contains { $0.check == check }, "\(mismatches)")
        #expect(record.isComplete)
    }

    @Test func `the record numbers the processes and omits the first`() throws {
        let (_, record) = try run(Case(adapter: "correct", play: .crash))
        let events = record.entries.compactMap { if case .session(let event) = $0.fact { event } else { nil } }
        #expect(Set(events.map(\.generation)) == [1, 2])
        #expect(!record.entries[0].encodedLine().contains("generation"))
        let first = try #require(events.first { $0.generation == 1 })
        #expect(first.wireValue.object?["generation"] == nil)
    }

    private func run(_ item: Case) throws -> (Outcome, RecordFile) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cw-background-\(UUID().uuidString)")
            .path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("MiniatureAdapters/background_\(item.adapter).py").path
        let scenario = try ScenarioReader.read(file: "\(item.play).yaml", text: item.play.text).get()
        let suite = try SuiteRun(
            scenarios: [scenario], adapter: AdapterChoice(name: item.adapter, command: ["python3", script]),
            engine: .auto, seed: 1, out: folder, keepsEverything: false, repetitions: 1, jobs: 1, observer: { _ in })
        let result = try #require(try suite.run().first)
        let path = try #require(result.recordFile)
        return (result.outcome, RecordFile.read(try String(contentsOfFile: path, encoding: .utf8)))
    }
}
