import Foundation
import Testing

@testable import Harness

/// A run of scenarios with one of the adapters of the positive control, unmodified or as one of its mutants.
enum ControlRun {
    static func perform(
        _ scenarios: [String], adapter: String, mutant: String? = nil
    ) throws -> (passed: Set<String>, others: Set<String>) {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
        let program = try BuiltProgram()
        defer { program.remove() }
        let paths = scenarios.map { "\(program.layout.folder)/Scenarios/\($0)" }
        let ended = try program.run(
            // Few at once, because the control is slow and other tests may run beside this one.
            ["run"] + paths + [
                "--jobs", "8", "--adapter", "/usr/bin/python3 \(folder)/PositiveControl/\(adapter)", "--out", "out",
            ],
            environment: mutant.map { ["CROSSWIND_CONTROL_MUTANT": $0] } ?? [:])
        let lines = ended.output.split(separator: "\n").map {
            $0.split(separator: " ", omittingEmptySubsequences: true)
        }
        var passed: Set<String> = []
        // The summary lists them again.
        var others: Set<String> = []
        for words in lines where words.count > 2 && words[1].contains("/") && words[0].allSatisfy(\.isLetter) {
            if words[0] == "pass" { passed.insert(String(words[1])) } else { others.insert("\(words[0]) \(words[1])") }
        }
        #expect(ended.status == (others.isEmpty ? 0 : 1), "\(ended.output)\(ended.errors)")
        return (passed, others)
    }
}
