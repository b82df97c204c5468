import AdaptableSession
import Foundation
import TransferProtocol

/// The connections of programs.
extension DaemonState {
    /// Makes a connection the owner of an identifier; false if it was refused.
    mutating func welcome(
        _ channel: ClientChannel, version: Int, _ new: TransferSettings, _ state: TransferClientState
    ) -> Bool {
        let identifier = new.identifier
        guard version == TransferWire.version else {
            log.write(
                "refuses process \(channel.process): it speaks version \(version) of the protocol, this daemon "
                    + "\(TransferWire.version)")
            channel.refuse(
                .otherVersion,
                "The transfer daemon speaks version \(TransferWire.version) of the protocol, this program \(version).")
            return false
        }
        guard !identifier.isEmpty else {
            channel.refuse(.invalid, "The identifier of a background session is empty.")
            return false
        }
        if let owner = clients[identifier]?.channel {
            // The end of a program may not have been read yet.
            guard owner.socket.isClosedByPeer else {
                log.write("session \(identifier): refuses process \(channel.process), process \(owner.process) has it")
                channel.refuse(
                    .identifierInUse,
                    "The background session \"\(identifier)\" is in use by process \(owner.process).")
                return false
            }
            gone(owner, identifier)
        }
        do throws(StoreError) {
            if new != settings[identifier] {
                try store.save(new)
                settings[identifier] = new
                scheduler.setLimitPerHost(new.maximumConnectionsPerHost, ofSession: identifier)
                // Attempts that run keep the settings with which they began.
                sessions.removeValue(forKey: identifier)?.finishTasksAndInvalidate()
            }
            let missed = try store.outstanding(ofSession: identifier).events
            clients[identifier] = Client(
                channel: channel, state: state, isOwedFinish: missed > 0 || launching[identifier] != nil)
            launching[identifier] = nil
            if let launch = new.launch { postponeLaunches(of: launch) }
            channel.send(
                .welcome(
                    version: TransferWire.version, store: store.identity,
                    nextTask: try store.nextTask(ofSession: identifier),
                    tasks: policies.tasks.nameEarlier ? try store.allTasks(ofSession: identifier) : []))
        } catch {
            log.write("session \(identifier): \(error)")
            clients[identifier] = nil
            channel.refuse(.storeUnusable, "\(error)")
            return false
        }
        log.write("session \(identifier): process \(channel.process) connects in the \(state.rawValue)")
        if new.sendsLaunchEvents { checkLaunchProgram(new) }
        invalidated.remove(identifier)
        setClient(state, identifier)
        for key in questions.keys.filter({ $0.session == identifier }).sorted(by: { $0.number < $1.number }) {
            ask(key)
        }
        pumpEvents(identifier)
        pump()
        return true
    }

    /// Stores whether the user sees the client (DISC-03, DISC-04).
    mutating func setClient(_ state: TransferClientState, _ identifier: String) {
        clients[identifier]?.state = state
        scheduler.setClient(state, ofSession: identifier)
        guard state == .foreground, policies.scheduling.liftsInForeground else { return }
        _ = stored { () throws(StoreError) in
            try store.liftBackground(ofSession: identifier)
            guard let launch = settings[identifier]?.launch else { return }
            var pacing = try store.pacing(of: launch)
            guard pacing.count > 0 else { return }
            pacing.reset()
            try store.setPacing(pacing, of: launch)
        }
    }

    /// Logs a launch command that does not name a program, long before it is needed.
    private func checkLaunchProgram(_ settings: TransferSettings) {
        guard let program = settings.launch?.command.first else {
            return log.write(
                "session \(settings.identifier): cannot be launched for its events: the launch command is empty")
        }
        guard !FileManager.default.isExecutableFile(atPath: program) else { return }
        log.write("session \(settings.identifier): cannot be launched for its events: \(program) is not a program")
    }

    /// Frees what belongs to a connection that has ended.
    mutating func gone(_ channel: ClientChannel, _ identifier: String) {
        channel.close()
        guard clients[identifier]?.channel === channel else { return }
        clients[identifier] = nil
        log.write("session \(identifier): process \(channel.process) is gone")
        let needing = policies.tasks.outliveClients ? policies.scheduling.kindsNeedingClient : nil
        for key in attempts.keys where key.session == identifier {
            guard let kind = attempts[key]?.kind, needing?.contains(kind) ?? true else { continue }
            // BKGD-12
            attempts[key]?.task.cancel()
            complete(key, .disconnected)
        }
        scheduler.setClient(.absent, ofSession: identifier)
        if invalidated.contains(identifier), (try? store.allTasks(ofSession: identifier))?.isEmpty == true,
            (try? store.outstanding(ofSession: identifier).events) == 0
        {
            sessions.removeValue(forKey: identifier)?.invalidateAndCancel()
            settings[identifier] = nil
            invalidated.remove(identifier)
            _ = stored { () throws(StoreError) in try store.removeSession(identifier) }
        }
        considerLaunch(identifier)
        pump()
    }

    /// The sessions and tasks for display.
    func listing() throws(StoreError) -> [TransferListing] {
        var sessions: [TransferListing] = []
        for settings in try store.sessions() {
            let identifier = settings.identifier
            var tasks = try store.allTasks(ofSession: identifier)
            for index in tasks.indices {
                let key = TransferKey(session: identifier, number: tasks[index].number)
                if let counts = attempts[key]?.counts { tasks[index].counts = counts }
            }
            sessions.append(
                TransferListing(
                    settings: settings, process: clients[identifier]?.channel.process, tasks: tasks,
                    undelivered: try store.outstanding(ofSession: identifier).events))
        }
        return sessions
    }
}
