import Foundation
import Glibc
import TransferProtocol

/// Finds, starts and reaches the daemon.
struct DaemonStarter {
    let places: TransferPlaces

    /// Connects, starting the daemon if it does not listen, and serves the connection until it ends. Throws if the
    /// daemon is not found or if it runs as another user.
    func connect(_ serve: (LocalSocket) -> Void) throws {
        let socket: LocalSocket
        do throws(SocketError) {
            socket = try LocalSocket.connect(to: places.socket)
        } catch {
            guard error.meansNobodyListens else { throw error }
            try start()
            socket = try LocalSocket.connect(to: places.socket)
        }
        // Root may run a program for the user.
        guard let peer = socket.peer, peer.user == getuid() || peer.user == 0 else {
            throw SocketError.notOurs(places.socket)
        }
        serve(socket)
    }

    /// The path of the daemon's program; nil if it is not found.
    static func program(environment: [String: String], executable: String?, isThere: (String) -> Bool) -> String? {
        if let path = environment[TransferPlaces.daemonVariable], !path.isEmpty { return path }
        let beside = executable.map { ($0 as NSString).deletingLastPathComponent }
        let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin").split(separator: ":").map(String.init)
        return ([beside].compactMap { $0 } + folders).map { $0 + "/" + TransferPlaces.daemonName }.first(where: isThere)
    }

    /// Starts the daemon, detached from the terminal (setsid), and returns once it listens.
    private func start() throws {
        let environment = ProcessInfo.processInfo.environment
        let executable = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        guard
            let program = Self.program(
                environment: environment, executable: executable,
                isThere: { unsafe access($0, X_OK) == 0 })
        else { throw DaemonMissing() }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["--detach"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        let errors = Pipe()
        process.standardError = errors
        do { try process.run() } catch {
            throw DaemonFailed(program: program, problem: error.localizedDescription)
        }
        // It ends as soon as the daemon listens or cannot.
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            // The lines before are those of the log.
            let last = text.split(separator: "\n").last { $0.hasPrefix("Error: ") }
            throw DaemonFailed(program: program, problem: last.map { String($0.dropFirst(7)) } ?? text)
        }
    }
}

/// The program of the daemon could not be started, or could not serve.
struct DaemonFailed: Error, CustomStringConvertible {
    let program: String
    let problem: String
    var description: String {
        "cannot start the transfer daemon \(program): \(problem.trimmingCharacters(in: .whitespacesAndNewlines))"
    }
}

/// No program of the daemon was found.
struct DaemonMissing: Error, CustomStringConvertible {
    var description: String {
        "\(TransferPlaces.daemonName) is neither beside this program nor in PATH, and \(TransferPlaces.daemonVariable) is "
            + "not set"
    }
}
