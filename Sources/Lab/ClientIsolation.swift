import Foundation
package import LabKernel

/// The parts of this machine that a program inside a lab does not get, beyond the network.
package struct ClientIsolation: Sendable {
    /// Directories of this machine that stay visible where the lab hides them, and writable where it does not allow changes.
    package var shared: [String]
    /// True to remove all environment variables except `keptVariables` and those of the lab.
    package var cleansEnvironment: Bool
    package var limits: ResourceLimits

    package init(shared: [String] = [], cleansEnvironment: Bool = false, limits: ResourceLimits = .standard) {
        self.shared = shared
        self.cleansEnvironment = cleansEnvironment
        self.limits = limits
    }

    /// `memory` is in bytes; nil means the standard limit.
    package init(shared: [String], cleansEnvironment: Bool, memory: Int64?, processes: Int) {
        var limits = ResourceLimits.standard
        limits.memory = memory ?? limits.memory
        limits.processes = processes
        self.init(shared: shared, cleansEnvironment: cleansEnvironment, limits: limits)
    }

    package var confinement: SpawnRequest.Confinement { SpawnRequest.Confinement(limits: limits) }

    /// The variables of the caller that a clean environment keeps, besides those that begin with `LC_`.
    package static let keptVariables: Set<String> = [
        "PATH", "LANG", "LANGUAGE", "TZ", "TERM", "COLORTERM", "NO_COLOR", "COLUMNS", "LINES", "USER", "LOGNAME",
        "SHELL",
    ]
    /// Variables that point to what the lab hides.
    private static let dangling = ["XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS"]

    /// Returns the variables of the caller that the program inherits.
    func inherited(from environment: [String: String]) -> [String: String] {
        environment.filter { name, _ in
            if name.lowercased().hasSuffix("_proxy") || Self.dangling.contains(name) { return false }
            return !cleansEnvironment || Self.keptVariables.contains(name) || name.hasPrefix("LC_")
        }
    }

    /// Directories that uid 0 owns and could use to run something outside later, such as a cron job or a shell's start file.
    private static let systemDirectories = [
        "/boot", "/efi", "/etc", "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/root",
        "/var",
    ]

    /// Sockets of desktop and terminal programs in /tmp, by the first part of their folders' names.
    private static let socketFolders = ["tmux-", "ssh-", ".X11-unix", ".ICE-unix"]

    /// The overlays that hide the machine's services and the control sockets of labs. `currentDirectory` stays as it is.
    func overlays(currentDirectory: String) -> [SpawnRequest.Overlay] {
        var overlays: [SpawnRequest.Overlay] = [.hidden(path: "/run")]
        // On NixOS, for example, /run/current-system is a link to the programs.
        for name in Self.names(in: "/run") {
            if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/run/\(name)") {
                overlays.append(.link(path: "/run/\(name)", to: target))
            }
        }
        for folder in ControlFolder.candidates {
            // A folder that a later lab makes would be visible to this one.
            _ = PrivateFolder.make(folder.path)
            overlays.append(.hidden(path: folder.path))
        }
        for name in Self.names(in: "/tmp") where Self.socketFolders.contains(where: name.hasPrefix) {
            let path = "/tmp/\(name)"
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            guard attributes?[.type] as? FileAttributeType == .typeDirectory else { continue }
            let isKept = ([currentDirectory] + shared).contains { ($0 + "/").hasPrefix(path + "/") }
            if !isKept { overlays.append(.hidden(path: path)) }
        }
        // As a whole, neither the root nor a user's runtime folder stays.
        let depth = currentDirectory.split(separator: "/").count
        if depth > (currentDirectory.hasPrefix("/run/") ? 3 : 0) { overlays.append(.kept(path: currentDirectory)) }
        overlays += (["/var/tmp"] + shared).map { .kept(path: $0) }
        // As another user the program could not write there anyway.
        if Privilege.isRootOfMachine { overlays += Self.systemDirectories.map { .readOnly(path: $0) } }
        return overlays
    }

    private static func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }
}
