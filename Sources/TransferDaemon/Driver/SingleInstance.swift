import Foundation
import Glibc
package import TransferProtocol

/// The lock that at most one daemon of a user and of a state folder holds, until it ends in whatever way.
package final class SingleInstance: Sendable {
    private let descriptor: CInt

    private init(_ descriptor: CInt) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Takes the lock; nil if another daemon has it. Throws if the file cannot be made.
    package static func take(_ path: String) throws -> SingleInstance? {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path]) }
        let instance = SingleInstance(descriptor)
        return flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? instance : nil
    }
}

/// The socket that systemd passes to a service that it activates (sd_listen_fds(3)).
package enum SocketActivation {
    /// The number of the descriptor; nil if this process was started in another way. Throws nothing: more than one
    /// socket is a mistake in the unit, of which the first is used.
    package static func descriptor(environment: [String: String], process: Int32) -> CInt? {
        guard environment["LISTEN_PID"].flatMap({ Int32($0) }) == process,
            let count = environment["LISTEN_FDS"].flatMap({ Int($0) }), count > 0
        else { return nil }
        return 3
    }
}

/// The program of the daemon, from its start to its end.
package enum DaemonProgram {
    package enum Outcome: Sendable {
        case served
        /// Another daemon serves the same place.
        case alreadyRuns
    }

    /// Serves until the process is terminated, or with `idleLimit` until it was idle for that time. A store that cannot be
    /// used is reported to the first program that connects. Calls `listening` as soon as programs can connect.
    package static func run(
        _ places: TransferPlaces, clock: TransferClock, idleLimit: Duration? = nil,
        policies: DaemonPolicies = DaemonPolicies(), listening: () -> Void = {}
    ) throws -> Outcome {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGHUP, SIG_IGN)
        try TransferPlaces.makePrivateFolder(places.state)
        let folder = (places.socket as NSString).deletingLastPathComponent
        guard let instance = try SingleInstance.take(places.state + "/lock") else { return .alreadyRuns }
        defer { withExtendedLifetime(instance) {} }
        let log = DaemonLog(path: places.state + "/log")
        let listener: LocalSocket
        let process = ProcessInfo.processInfo
        if let passed = SocketActivation.descriptor(
            environment: process.environment, process: process.processIdentifier)
        {
            listener = LocalSocket(adopting: passed)
        } else {
            do {
                try TransferPlaces.makePrivateFolder(folder)
                // The lock is ours, so an existing socket is of a daemon that was killed.
                unsafe unlink(places.socket)
                listener = try LocalSocket.listen(at: places.socket)
            } catch {
                log.write("cannot listen: \(error)")
                throw error
            }
        }
        listening()
        let opened: TransferStore.Opened
        let daemon: Daemon
        do throws(StoreError) {
            opened = try TransferStore.open(at: places.state, now: Date())
            if let aside = opened.movedAside {
                log.write(
                    "the store was damaged (\(aside.reason)) and is kept at \(aside.path); begins with an empty one")
            }
            for key in opened.failed { log.write("\(key): failed: a file of the daemon is missing") }
            if !opened.removed.isEmpty { log.write("removed \(opened.removed.count) files without an owner") }
            daemon = try Daemon.start(opened.store, clock: clock, log: log, policies: policies)
        } catch {
            log.write("\(error)")
            refuse(listener, "\(error)")
            return .served
        }
        log.write("serves \(places.socket)")
        if let idleLimit { daemon.endWhenIdle(for: idleLimit) }
        daemon.serve(listener, user: getuid())
        return .served
    }

    /// Refuses the first program with the reason why the store cannot be used. The daemon then ends, because the next
    /// program starts another one, which may find the disk with space or the store replaced.
    private static func refuse(_ listener: LocalSocket, _ reason: String) {
        while let socket = listener.accept() {
            // The program sends first; a message before that could be lost with the connection. The one that starts the
            // daemon only looks whether it listens.
            guard socket.receive() != nil else { continue }
            _ = socket.send(TransferWire.line(.refused(reason: .storeUnusable, message: reason)))
            socket.shutDown()
            return
        }
    }
}
