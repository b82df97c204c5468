import Foundation
import Testing

@testable import Harness

/// The scenarios that no adapter at hand can try (waiting, cellular, the pool) must be passable by a right implementation, and each of its
/// mutants must fail where its one wrong decision shows. The control is a fixture: PositiveControl/control_session.py.
@Suite(
    .serialized, .enabled(if: Doctor.examine().canRun, "this machine cannot build a lab: see crosswind doctor"),
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "needs python3"))
struct PositiveControlTests {
    private static let adapter: String = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
        return "/usr/bin/python3 \(folder)/PositiveControl/control_adapter.py"
    }()

    private func run(_ scenarios: [String], mutant: String? = nil) throws -> (passed: Set<String>, others: Set<String>) {
        let program = try BuiltProgram()
        defer { program.remove() }
        let paths = scenarios.map { "\(program.home.folder)/Scenarios/\($0)" }
        let ended = try program.run(
            ["run"] + paths + ["--adapter", Self.adapter, "--out", "out"],
            environment: mutant.map { ["CROSSWIND_CONTROL_MUTANT": $0] } ?? [:])
        let lines = ended.output.split(separator: "\n").map { $0.split(separator: " ", omittingEmptySubsequences: true) }
        var passed: Set<String> = []
        // The summary names them again.
        var others: Set<String> = []
        for words in lines where words.count > 2 && words[1].contains("/") && words[0].allSatisfy(\.isLetter) {
            if words[0] == "pass" { passed.insert(String(words[1])) } else { others.insert("\(words[0]) \(words[1])") }
        }
        #expect(ended.status == (others.isEmpty ? 0 : 1), "\(ended.output)\(ended.errors)")
        return (passed, others)
    }

    @Test func `a right implementation passes what stock ones cannot try`() throws {
        let (passed, others) = try run(["connectivity", "pool", "handover", "cellular", "timing", "tcp", "names", "nat64"])
        #expect(others == [])
        #expect(passed.count > 40)
    }

    @Test(arguments: [
        ("tells-twice", ["connectivity/waits-through-flapping"]),
        ("times-the-wait", ["connectivity/waiting-does-not-run-request-timer"]),
        ("uses-cellular", ["connectivity/cellular-forbidden", "connectivity/cellular-forbidden-waits"]),
        ("no-reuse", ["pool/keep-alive", "pool/one-connection"]),
        ("ignores-limit", ["pool/limit-of-two"]),
        ("one-limit-for-all", ["pool/limit-is-per-host"]),
        ("polls", ["connectivity/no-hammering"]),
        ("no-attempt", ["connectivity/failed-attempt-waits"]),
        ("waits-again", ["connectivity/lost-after-connecting-is-an-error"]),
        ("keeps-connection", ["timing/timeout-closes-the-connection"]),
    ])
    func `each wrong decision is found`(mutant: String, scenarios: [String]) throws {
        let (passed, others) = try run(scenarios.map { $0 + ".yaml" }, mutant: mutant)
        #expect(passed == [])
        #expect(others == Set(scenarios.map { "fail \($0)" }))
    }
}
