import Foundation
import Testing

@testable import Harness

/// The benchmark is seldom run by hand, so this test keeps it working: one section, in quick mode.
@Suite(.enabled(if: Doctor.examine().canRun, "this machine cannot build a lab: see crosswind doctor"))
struct BenchTests {
    private func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try InstallLayout.find().programFolder + "/crosswind-bench")
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
    }

    @Test func `the benchmark prints a table with aims, and refuses an unknown word`() throws {
        let ended = try run(["--quick", "lab"])
        #expect(ended.status == 0)
        #expect(ended.output.contains("lab up, emulator") && ended.output.contains("target"))
        #expect(try run(["--quick", "nonsense"]).status == 2)
    }
}
