import Foundation
import LabKernel
import LinkEngines

/// The file in the program's private folder with the offset of its wall clock. Programs read it again while they run.
enum ClockFile {
    static let name = ".crosswind/clock"
    static let path = "\(ClientEnvironment.folder)/\(name)"

    /// Returns the text of the file, a word of the variable's value.
    static func text(_ offset: Duration) -> String { "offset=\(offset.components.seconds)" }

    /// Sets the clock of the running program.
    static func write(_ offset: Duration, for process: SpawnedProcess) throws(LabError) {
        let file = process.fileSystemRoot + path
        do {
            // In place, which also succeeds on a full disk.
            try ResolverFile.rewrite(file, with: text(offset))
        } catch {
            // The program has ended, and its file no longer exists.
            guard FileManager.default.fileExists(atPath: process.fileSystemRoot) else { return }
            throw .failed(
                "the program's clock cannot be set: \(path): \(error.localizedDescription); "
                    + "only a program that a scenario starts has a clock of its own")
        }
    }
}
