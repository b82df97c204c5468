import Foundation

/// The transfer daemon beside this program, which declares its own mutants.
enum MutantDaemon {
    private static let program: URL = {
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        return own.deletingLastPathComponent().appendingPathComponent("adaptable-transferd")
    }()

    /// Returns its mutants, one line each; nil if the program is missing.
    static func lines() -> String? {
        let process = Process()
        process.executableURL = program
        process.arguments = ["--mutants"]
        let output = Pipe()
        process.standardOutput = output
        guard (try? process.run()) != nil else { return nil }
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? String(decoding: text, as: UTF8.self) : nil
    }

    /// Lets the library start the daemon as a mutant: through a script, because the library starts a program without
    /// arguments of ours.
    static func use(_ mutant: String) throws {
        let script = FileManager.default.temporaryDirectory.appendingPathComponent("mutant-daemon")
        let text = """
            #!/bin/sh
            exec '\(program.path)' --mutant '\(mutant)' "$@"

            """
        // A later process of the app finds the script of the first.
        if (try? String(contentsOf: script, encoding: .utf8)) != text {
            try Data(text.utf8).write(to: script, options: .atomic)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script.path)
        }
        unsafe setenv("ADAPTABLE_TRANSFERD", script.path, 1)
    }
}
