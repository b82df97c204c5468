import ArgumentParser
import Foundation
import Lab

/// The options for the isolation of a program inside a lab, shared by `run`, `matrix`, `exec` and `shell`.
struct IsolationOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Pass only \(ClientIsolation.keptVariables.sorted().joined(separator: ", ")), LC_* and the lab's own variables to the program."
        ))
    var cleanEnv = false

    @Option(
        help: ArgumentHelp(
            "A folder of this machine, such as /run/postgresql, that stays visible and writable where the lab hides it or makes it read-only (may be given several times).",
            valueName: "folder"),
        completion: .directory)
    var share: [String] = []

    @Option(
        help: "Memory of the program and everything it starts, such as 2GiB (default: three quarters of the machine's)."
    )
    var memoryLimit: MemorySize?

    @Option(help: "Processes and threads of the program and everything it starts.")
    var processLimit = 4096

    func validate() throws {
        if processLimit < 1 || processLimit > 4_194_304 {
            throw ValidationError("--process-limit must be between 1 and 4194304")
        }
        for folder in share {
            guard folder.hasPrefix("/") else {
                throw ValidationError("--share \(folder): write the whole path, from /")
            }
            var isFolder: ObjCBool = false
            guard unsafe FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue
            else {
                throw ValidationError("--share \(folder): this folder does not exist on this machine")
            }
            // Also /var/run, which is a link to it.
            if URL(fileURLWithPath: folder).resolvingSymlinksInPath().path == "/run" {
                throw ValidationError(
                    "--share \(folder): it holds the sockets of every service; give the folders below it that the program needs"
                )
            }
        }
    }

    var isolation: ClientIsolation {
        ClientIsolation(
            shared: share, cleansEnvironment: cleanEnv, memory: memoryLimit?.bytes, processes: processLimit)
    }
}

/// `512MiB` or `2GiB`.
struct MemorySize: ExpressibleByArgument {
    var bytes: Int64

    init?(argument: String) {
        guard
            let (unit, size) = [("MiB", Int64(1) << 20), ("GiB", Int64(1) << 30)].first(where: {
                argument.hasSuffix($0.0)
            }),
            let count = Int64(argument.dropLast(unit.count)), count > 0
        else { return nil }
        let (bytes, overflow) = count.multipliedReportingOverflow(by: size)
        if overflow { return nil }
        self.bytes = bytes
    }
}
