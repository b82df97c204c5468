import Foundation

@testable import Harness

/// The `crosswind` program, run from the command line: the one in the folder that `CROSSWIND_TEST_PROGRAMS` names, such as a
/// release build, or the one that was built with these tests.
struct BuiltProgram {
    struct Ended {
        var status: Int32
        var output: String
        var errors: String
    }

    let layout: InstallLayout
    let folder: String

    init() throws {
        var found = try InstallLayout.find()
        if let folder = ProcessInfo.processInfo.environment["CROSSWIND_TEST_PROGRAMS"] { found.programFolder = folder }
        layout = found
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("cw-program-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder + "/tmp", withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(atPath: folder) }

    /// Starts the program in a folder of its own, with `tmp` inside it for temporary files; output goes to files there.
    func start(_ arguments: [String], environment: [String: String] = [:]) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: layout.programFolder + "/crosswind")
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        var all = ProcessInfo.processInfo.environment
        all["TMPDIR"] = folder + "/tmp"
        process.environment = all.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try file("output")
        process.standardError = try file("errors")
        try process.run()
        return process
    }

    func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Ended {
        let process = try start(arguments, environment: environment)
        process.waitUntilExit()
        return Ended(status: process.terminationStatus, output: try text("output"), errors: try text("errors"))
    }

    func text(_ name: String) throws -> String { try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8) }

    func write(_ name: String, _ text: String) throws -> String {
        let path = "\(folder)/\(name)"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    private func file(_ name: String) throws -> FileHandle {
        let path = "\(folder)/\(name)"
        try Data().write(to: URL(fileURLWithPath: path))
        return try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    }
}
