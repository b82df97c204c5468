import Foundation
import TransferProtocol

/// The launches of clients that do not run.
extension DaemonState {
    /// Launches the client of a session if it is needed and its program may be launched now (BKGD-22 to BKGD-24).
    mutating func considerLaunch(_ identifier: String) {
        guard let settings = settings[identifier], launching[identifier] == nil,
            let facts = facts(identifier), let reason = settings.launchReason(facts, policies.launches),
            let launch = settings.launch, let program = launch.command.first
        else { return }
        let instant = now
        lastLaunch += 1
        let number = lastLaunch
        launching[identifier] = number
        do throws(StoreError) {
            var pacing = try store.pacing(of: launch)
            let delay = policies.launches.isPaced ? pacing.delay(at: instant) : .zero
            guard delay == .zero else {
                return daemon.perform(after: clock.real(delay)) { $0.endLaunch(number, identifier) }
            }
            pacing.launched(at: instant)
            try store.setPacing(pacing, of: launch)
        } catch {
            launching[identifier] = nil
            return log.write("session \(identifier): cannot launch the client: \(error)")
        }
        do {
            log.write("session \(identifier): launches \(program): \(reason.rawValue)")
            try ClientLaunch.run(launch, policies.launches.passesIdentifier ? identifier : "") { [daemon] status in
                daemon.perform { state in
                    state.log.write("session \(identifier): the launched client ended with status \(status)")
                    let patience = state.policies.launches.isPaced ? LaunchPacing.patience : .zero
                    daemon.perform(after: patience) { $0.endLaunch(number, identifier) }
                }
            }
        } catch {
            // The events stay, and the program may be back after an update of it. The pacing keeps the next try away.
            log.write("session \(identifier): cannot launch \(program): \(error.localizedDescription)")
            endLaunch(number, identifier)
        }
    }

    /// Forgets a launch, unless its client has connected or a later launch has taken its place.
    private mutating func endLaunch(_ number: Int, _ identifier: String) {
        guard launching[identifier] == number else { return }
        launching[identifier] = nil
        considerLaunch(identifier)
    }

    /// Gives a program that has connected with one session time to make those for which it was launched or waits to be
    /// launched. Launched again in this time, it would run twice.
    mutating func postponeLaunches(of launch: TransferLaunch) {
        for identifier in launching.keys where settings[identifier]?.launch?.command == launch.command {
            lastLaunch += 1
            let number = lastLaunch
            launching[identifier] = number
            daemon.perform(after: LaunchPacing.patience) { $0.endLaunch(number, identifier) }
        }
    }

    private func facts(_ identifier: String) -> LaunchFacts? {
        guard clients[identifier] == nil, let outstanding = try? store.outstanding(ofSession: identifier) else {
            return nil
        }
        return LaunchFacts(
            client: .absent, unfinished: outstanding.unfinished, events: outstanding.events,
            questions: questions.keys.count { $0.session == identifier })
    }
}

/// The start of a client's program.
enum ClientLaunch {
    /// Runs the command with the identifier of the session as its last argument and in the environment (BKGD-24), and
    /// reports its end.
    static func run(
        _ launch: TransferLaunch, _ identifier: String, ended: @escaping @Sendable (Int32) -> Void
    ) throws {
        let process = Process()
        process.executableURL = launch.command.first.map { URL(fileURLWithPath: $0) }
        process.arguments = launch.command.dropFirst() + [identifier]
        var environment = ProcessInfo.processInfo.environment.merging(launch.environment) { $1 }
        environment[TransferPlaces.launchVariable] = identifier
        // These are of the daemon's own start.
        for name in ["LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES", "NOTIFY_SOCKET"] { environment[name] = nil }
        process.environment = environment
        if let folder = launch.workingFolder, FileManager.default.fileExists(atPath: folder) {
            process.currentDirectoryURL = URL(fileURLWithPath: folder)
        }
        process.standardInput = FileHandle.nullDevice
        process.terminationHandler = { ended($0.terminationStatus) }
        try process.run()
    }
}
