import Foundation
import LabKernel

/// The private folder with the sockets of running labs, named after their processes.
struct ControlFolder: Hashable, Sendable {
    let path: String

    /// `sockaddr_un` has room for 107 bytes.
    private static let longestPath = 107

    /// Both possible folders, so that a lab is found from a terminal with a different environment.
    static var candidates: [ControlFolder] {
        var folders: [ControlFolder] = []
        if let runtime = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") {
            folders.append(ControlFolder(path: runtime + "/crosswind"))
        }
        return folders + [ControlFolder(path: "/tmp/crosswind-\(UserIdentity.outside)")]
    }

    /// Returns the first candidate that can be made accessible to this user only.
    static func make() throws(ControlError) -> ControlFolder {
        var reason = ""
        for folder in candidates {
            guard folder.path.utf8.count + "/4194304.starting".utf8.count <= longestPath else {
                reason = "\(folder.path) is too long for a socket"
                continue
            }
            if let problem = PrivateFolder.make(folder.path) {
                reason = "\(folder.path): \(problem)"
            } else {
                return folder
            }
        }
        throw .noPlace(reason)
    }

    func socket(of id: String) -> String { "\(path)/\(id).socket" }
    /// Returns the temporary name of a socket until the lab listens on it, so that it is not mistaken for an abandoned
    /// one.
    func startingSocket(of id: String) -> String { "\(path)/\(id).starting" }

    /// The ids of all sockets in the folder, live or abandoned.
    var ids: [String] { names(ending: ".socket") }

    private func names(ending suffix: String) -> [String] {
        guard PrivateFolder.isOurs(path) else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }
            .filter { !$0.isEmpty && $0.allSatisfy(\.isNumber) }.sorted { (Int($0) ?? 0) < (Int($1) ?? 0) }
    }

    func remove(_ id: String) { try? FileManager.default.removeItem(atPath: socket(of: id)) }

    /// Removes the temporary sockets of labs that were killed while they started.
    func removeUnfinished() {
        for id in names(ending: ".starting") where !FileManager.default.fileExists(atPath: "/proc/\(id)") {
            try? FileManager.default.removeItem(atPath: startingSocket(of: id))
        }
    }
}

extension InteractiveLab {
    /// Removes the control sockets of labs that were killed.
    package static func removeAbandonedSockets() {
        for folder in ControlFolder.candidates { ControlClient.removeAbandoned(in: folder) }
    }

    /// Removes the control socket of this process, for an exit that does not stop the lab.
    package static func removeControlSocket() {
        let id = "\(ProcessInfo.processInfo.processIdentifier)"
        for folder in ControlFolder.candidates where folder.ids.contains(id) { folder.remove(id) }
    }
}
