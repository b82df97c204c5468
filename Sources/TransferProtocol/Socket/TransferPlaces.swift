internal import Foundation
internal import Glibc

/// The places of the daemon of this user: of its socket and of its state.
package struct TransferPlaces: Hashable, Sendable {
    /// The path of the socket.
    package var socket: String
    /// The folder of the store, of captured files and of downloads.
    package var state: String

    /// The environment variables that replace the usual places.
    package static let socketVariable = "ADAPTABLE_TRANSFERS_SOCKET"
    package static let stateVariable = "ADAPTABLE_TRANSFERS_STATE"
    /// The environment variable with the path of the daemon's program.
    package static let daemonVariable = "ADAPTABLE_TRANSFERD"
    /// The name of the daemon's program.
    package static let daemonName = "adaptable-transferd"
    /// The environment variable with the identifier of the session for which the daemon launched a program.
    package static let launchVariable = "ADAPTABLE_SESSION_IDENTIFIER"

    /// Returns the name of the link that the library gives to the delegate for a finished download at `path`. It belongs
    /// to the event as the file does.
    package static func delivered(_ path: String) -> String { path + ".delivered" }

    package init(socket: String, state: String) {
        self.socket = socket
        self.state = state
    }

    /// Follows the XDG Base Directory Specification: the socket below `$XDG_RUNTIME_DIR`, or in a private folder of
    /// `/tmp` without it, the state below `$XDG_STATE_HOME`, by default `~/.local/state`.
    package init(environment: [String: String], user: UInt32, home: String) {
        let runtime = Self.folder(environment["XDG_RUNTIME_DIR"]).map { $0 + "/adaptable-session" }
        let state = Self.folder(environment["XDG_STATE_HOME"]) ?? home + "/.local/state"
        socket =
            Self.folder(environment[Self.socketVariable])
            ?? (runtime ?? "/tmp/adaptable-session-\(user)") + "/transferd.socket"
        self.state = Self.folder(environment[Self.stateVariable]) ?? state + "/adaptable-session/transfers"
    }

    /// The places of this process.
    package static var own: TransferPlaces {
        TransferPlaces(
            environment: ProcessInfo.processInfo.environment, user: getuid(), home: NSHomeDirectory())
    }

    /// The specification says that relative paths are invalid and must be ignored.
    private static func folder(_ value: String?) -> String? { value.flatMap { $0.hasPrefix("/") ? $0 : nil } }

    /// Makes a folder that only this user can use, with its parents. Throws if that is not possible or if it belongs to
    /// another user.
    package static func makePrivateFolder(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        var facts = stat()
        guard unsafe lstat(path, &facts) == 0 else { throw SocketError(path, errno) }
        guard facts.st_uid == getuid(), facts.st_mode & S_IFMT == S_IFDIR else { throw SocketError(path, EACCES) }
        guard unsafe chmod(path, 0o700) == 0 else { throw SocketError(path, errno) }
    }
}
