import Foundation

/// The location of the files that come with the program: the folder that contains `Scenarios` and `scripts`.
package struct InstallLayout: Hashable, Sendable {
    package var folder: String
    /// The folder of this program's executable and its adapters.
    package var programFolder: String

    /// Returns `CROSSWIND_HOME`, else the nearest such folder above the executable, else above the working directory.
    package static func find() throws(HarnessError) -> InstallLayout {
        let manager = FileManager.default
        let executable = (try? manager.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        let programFolder = URL(fileURLWithPath: executable).deletingLastPathComponent().path
        if let given = ProcessInfo.processInfo.environment["CROSSWIND_HOME"] {
            return InstallLayout(folder: given, programFolder: programFolder)
        }
        for start in [programFolder, manager.currentDirectoryPath] {
            var folder = URL(fileURLWithPath: start)
            while folder.path != "/" {
                if manager.fileExists(atPath: folder.path + "/Scenarios/catalogue/requirements.yaml") {
                    return InstallLayout(folder: folder.path, programFolder: programFolder)
                }
                folder.deleteLastPathComponent()
            }
        }
        throw .machine(
            "the requirement catalogue (Scenarios/catalogue) is neither above \(programFolder) nor above the working directory",
            fix: "set CROSSWIND_HOME to the project's folder")
    }

    package func file(_ path: String) throws(HarnessError) -> String {
        let full = folder + "/" + path
        guard FileManager.default.fileExists(atPath: full) else {
            throw .machine("\(full) is missing", fix: "set CROSSWIND_HOME to the project's folder")
        }
        return full
    }
}
