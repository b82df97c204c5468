import Foundation
import Testing

@testable import Harness

/// The same search finds the files of a source tree and of an installation, wherever either lies. `scripts/package-test` runs an installed
/// program.
@Suite struct InstallLayoutTests {
    private static let marker = "Scenarios/catalogue/requirements.yaml"

    /// Calls `body` with the path of a folder that has these files.
    private func with(_ files: [String], _ body: (String) throws -> Void) throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("cw-layout-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        for file in files {
            let url = root.appendingPathComponent(file)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data().write(to: url)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
        }
        try body(root.path)
    }

    @Test(arguments: [
        // The nearest folder above the program, whichever form it has.
        (["tree/\(marker)"], "tree/.build/release/crosswind", "/", "tree"),
        (["usr/share/crosswind/\(marker)"], "usr/bin/crosswind", "/", "usr/share/crosswind"),
        (
            ["tree/\(marker)", "tree/stage/share/crosswind/\(marker)"], "tree/stage/bin/crosswind", "/",
            "tree/stage/share/crosswind"
        ),
        // The working folder comes last.
        (["tree/\(marker)"], "elsewhere/crosswind", "tree/Tests", "tree"),
        (
            ["tree/\(marker)", "usr/share/crosswind/\(marker)"], "usr/bin/crosswind", "tree", "usr/share/crosswind"
        ),
    ])
    func `the files are found from the program's place`(
        _ files: [String], _ executable: String, _ working: String, _ expected: String
    ) throws {
        try with(files) { root in
            let layout = try InstallLayout.find(
                executable: "\(root)/\(executable)", workingFolder: "\(root)/\(working)", given: nil)
            #expect(layout.folder == "\(root)/\(expected)")
            let given = try InstallLayout.find(
                executable: "\(root)/\(executable)", workingFolder: root, given: "/given")
            #expect(given.folder == "/given")
        }
    }

    @Test func `without them the message names the variable that helps`() throws {
        try with([]) { root in
            let error = #expect(throws: HarnessError.self) {
                try InstallLayout.find(executable: "\(root)/crosswind", workingFolder: root, given: nil)
            }
            #expect(error?.description.contains("CROSSWIND_HOME") == true)
        }
    }

    @Test(arguments: [
        ("release/crosswind", "release/adaptable-adapter", "release/adaptable-adapter", "scripts/build"),
        ("debug/crosswind", "debug/adaptable-adapter", "debug/adaptable-adapter", "swift build --product"),
        (
            "usr/bin/crosswind", "usr/libexec/crosswind/adaptable-adapter", "usr/libexec/crosswind/adaptable-adapter",
            "swift build --product"
        ),
    ])
    func `a program is beside crosswind or among the installed ones`(
        _ executable: String, _ file: String, _ expected: String, _ build: String
    ) throws {
        try with([file, "Package.swift"]) { root in
            var layout = try InstallLayout.find(executable: "\(root)/\(executable)", workingFolder: "/", given: root)
            #expect(try layout.program("adaptable-adapter") == "\(root)/\(expected)")
            let absent = #expect(throws: HarnessError.self) { try layout.program("python-adapter") }
            #expect(absent?.description.contains("\(build) python-adapter") == true)
            layout.folder = "/nonexistent"
            let missing = #expect(throws: HarnessError.self) { try layout.program("python-adapter") }
            #expect(missing?.description.contains("\(root)/") == true)
        }
    }

    @Test func `without arguments three commands follow, with the program as it was called`() throws {
        let program = try BuiltProgram()
        defer { program.remove() }
        let ended = try program.run([])
        #expect(ended.status == 0)
        let path = try program.layout.program("crosswind")
        let commands = ended.output.split(separator: "\n").filter { $0.hasPrefix("  \(path) ") }
        #expect(commands.count == 3, "\(ended.output)")
        // The scenario that it names exists.
        let words = try #require(commands.first).split(separator: " ").dropFirst().map(String.init)
        #expect(try program.run(["list"] + words.dropFirst()).output.hasPrefix("handover/cellular-takes-over "))
    }
}
