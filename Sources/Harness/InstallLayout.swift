import Foundation

/// The location of the programs and files that come with Crosswind.
///
///     source tree        .build/release/{crosswind,NAME-adapter}                 {Scenarios,scripts}
///     installed          bin/crosswind  libexec/crosswind/NAME-adapter           share/crosswind/{Scenarios,scripts}
///
/// Both may be in any folder: they are found from the program's own path.
package struct InstallLayout: Hashable, Sendable {
    /// The folder that contains `Scenarios` and `scripts`.
    package var folder: String
    /// The folder of this program's executable.
    package var programFolder: String

    /// Returns `CROSSWIND_HOME`, else the nearest such folder above the executable, else above the working directory.
    package static func find() throws(HarnessError) -> InstallLayout {
        let manager = FileManager.default
        let executable = (try? manager.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        return try find(
            executable: executable, workingFolder: manager.currentDirectoryPath,
            given: ProcessInfo.processInfo.environment["CROSSWIND_HOME"])
    }

    static func find(
        executable: String, workingFolder: String, given: String?
    ) throws(HarnessError) -> InstallLayout {
        let programFolder = URL(fileURLWithPath: executable).deletingLastPathComponent().path
        if let given { return InstallLayout(folder: given, programFolder: programFolder) }
        for start in [programFolder, workingFolder] {
            var folder = URL(fileURLWithPath: start)
            while folder.path != "/" {
                for home in [folder.path + "/share/crosswind", folder.path]
                where FileManager.default.fileExists(atPath: home + "/Scenarios/catalogue/requirements.yaml") {
                    return InstallLayout(folder: home, programFolder: programFolder)
                }
                folder.deleteLastPathComponent()
            }
        }
        throw .machine(
            "the requirement catalogue (Scenarios/catalogue) is neither above \(programFolder) nor above the working directory",
            fix: "set CROSSWIND_HOME to the folder that contains Scenarios")
    }

    package func file(_ path: String) throws(HarnessError) -> String {
        let full = folder + "/" + path
        guard FileManager.default.fileExists(atPath: full) else {
            throw .machine("\(full) is missing", fix: "set CROSSWIND_HOME to the folder that contains Scenarios")
        }
        return full
    }

    /// Returns the path of a program that comes with Crosswind, such as `adaptable-adapter`.
    package func program(_ name: String) throws(HarnessError) -> String {
        let installed = URL(fileURLWithPath: programFolder + "/../libexec/crosswind/\(name)").standardizedFileURL.path
        for path in ["\(programFolder)/\(name)", installed] where FileManager.default.isExecutableFile(atPath: path) {
            return path
        }
        // A release build looks only beside itself.
        let isRelease = URL(fileURLWithPath: programFolder).lastPathComponent == "release"
        let isSourceTree = FileManager.default.fileExists(atPath: folder + "/Package.swift")
        throw .adapterWillNotStart(
            command: name,
            reason: isSourceTree
                ? "it is not built; run: \(isRelease ? "scripts/build" : "swift build --product") \(name)"
                : "it is neither in \(programFolder) nor at \(installed)")
    }
}
