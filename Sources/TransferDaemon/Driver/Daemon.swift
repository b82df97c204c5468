import AdaptableSession
import Foundation
import Synchronization
package import TransferProtocol

/// The transfer daemon of one user: it owns the store, serves programs and does their transfers.
///
/// Everything that happens changes one state under one lock, on the thread on which it happens. The work under it is
/// short: calls of the store, and messages that other threads send.
package final class Daemon: Sendable {
    let log: DaemonLog
    private let held = Mutex<DaemonState?>(nil)
    private let alarms = DispatchQueue(label: "alarms")
    private let conditions = Mutex<ConditionsReader?>(nil)

    private init(_ log: DaemonLog) { self.log = log }

    /// Takes up the tasks of a store. Throws if it cannot be read.
    package static func start(
        _ store: TransferStore, clock: TransferClock, log: DaemonLog, policies: DaemonPolicies = DaemonPolicies()
    ) throws(StoreError) -> Daemon {
        let daemon = Daemon(log)
        var clock = clock
        // An earlier daemon may have run when the clock was set.
        _ = clock.reread()
        let reader = ConditionsReader { [weak daemon] conditions in
            daemon?.perform { state in
                state.log.write("conditions: \(conditions.path.rawValue), power \(conditions.hasExternalPower)")
                state.scheduler.setConditions(conditions, at: state.now)
                state.pump()
            }
        }
        let state = DaemonState(
            store: store, clock: clock, log: log, policies: policies, daemon: daemon, conditions: reader.current)
        daemon.conditions.withLock { $0 = reader }
        daemon.held.withLock { $0 = state }
        let failure: StoreError? = daemon.result { state in
            do throws(StoreError) {
                try state.begin()
                return nil
            } catch { return error }
        }
        if let failure { throw failure }
        daemon.check()
        return daemon
    }

    private func check() {
        let now = TransferInstant.ofMachine()
        perform { state in
            state.checkClock(at: now)
            state.checkThroughput(at: now.uptime)
        }
        let interval = Int(DaemonState.checkInterval.nanoseconds)
        alarms.asyncAfter(deadline: .now() + .nanoseconds(interval)) { [weak self] in self?.check() }
    }

    /// Ends this process when the daemon was idle for this time. A program that connects at that moment starts another
    /// one.
    package func endWhenIdle(for limit: Duration) {
        look(.zero, limit)
    }

    private func look(_ idleFor: Duration, _ limit: Duration) {
        let interval = min(limit, .seconds(5))
        perform(after: interval) { state in
            guard state.isIdle else { return state.daemon.look(.zero, limit) }
            guard idleFor + interval >= limit else { return state.daemon.look(idleFor + interval, limit) }
            state.log.write("ends, because nothing is to do")
            // With the state locked, so that no command is accepted any more.
            exit(0)
        }
    }

    /// Changes the state.
    func perform(_ act: (inout DaemonState) -> Void) {
        held.withLock { held in
            guard var state = held.take() else { return }
            act(&state)
            held = state
        }
    }

    /// Changes the state and returns a result; nil before the start.
    func result<Value: Sendable>(_ act: (inout DaemonState) -> Value?) -> Value? {
        var value: Value?
        perform { value = act(&$0) }
        return value
    }

    func perform(after delay: Duration, _ act: @escaping @Sendable (inout DaemonState) -> Void) {
        alarms.asyncAfter(deadline: .now() + .nanoseconds(Int(clamping: delay.nanoseconds))) { self.perform(act) }
    }

    /// Calls the scheduler again after this time at the latest. Called with the state locked.
    func setAlarm(_ delay: Duration?) {
        guard let delay else { return }
        // A day at most, so that a wrong clock does no lasting harm.
        let wait = min(max(delay.nanoseconds, 1_000_000), 86_400_000_000_000)
        let deadline = DispatchTime.now() + .nanoseconds(Int(wait))
        let isCovered = alarm.withLock { alarm in
            // An earlier call does no harm, while one more alarm for each change would stay in memory for days.
            if let pending = alarm, pending <= deadline { return true }
            alarm = deadline
            return false
        }
        guard !isCovered else { return }
        alarms.asyncAfter(deadline: deadline) {
            self.alarm.withLock { if $0 == deadline { $0 = nil } }
            self.perform { $0.pump() }
        }
    }

    private let alarm = Mutex<DispatchTime?>(nil)

    // MARK: Connections

    /// Serves connections until the listener is shut down.
    package func serve(_ listener: LocalSocket, user: UInt32) {
        while let socket = listener.accept() {
            // The mode of the socket keeps others out; this also holds where a file system ignores it.
            guard let peer = socket.peer, peer.user == user || peer.user == 0 else {
                log.write("refuses a connection of another user")
                continue
            }
            let channel = ClientChannel(socket, process: peer.process)
            let thread = Thread { self.read(channel) }
            thread.name = "reader \(peer.process)"
            thread.start()
        }
    }

    private func read(_ channel: ClientChannel) {
        var lines = LineBuffer()
        var identifier: String?
        var watch: Int?
        defer {
            if let watch { log.endWatch(watch) }
            if let identifier { perform { $0.gone(channel, identifier) } } else { channel.close() }
        }
        while let bytes = channel.socket.receive() {
            guard let complete = lines.append(bytes) else {
                return channel.refuse(.invalid, "A message is too long.")
            }
            var batch: [TransferCommandLine] = []
            for text in complete {
                let line: TransferCommandLine
                do throws(TransferWireError) { line = try TransferWire.command(text) } catch {
                    guard let number = error.number, identifier != nil else {
                        return channel.refuse(.invalid, "\(error)")
                    }
                    channel.send(
                        .reply(
                            command: number,
                            failure: TransferFailure(code: URLError.Code.unknown.rawValue, message: "\(error)"),
                            resumeData: nil))
                    continue
                }
                if identifier != nil {
                    batch.append(line)
                } else if case .hello(let version, let settings, let state) = line.command {
                    let isWelcome = result { $0.welcome(channel, version: version, settings, state) }
                    guard isWelcome == true else { return }
                    identifier = settings.identifier
                } else {
                    show(line.command, channel, &watch)
                }
            }
            if let identifier { handle(batch, of: identifier, on: channel) }
        }
    }

    /// Handles the commands that arrived together. Their replies are sent once all of them are on the disk, for which one
    /// wait is enough.
    private func handle(_ commands: [TransferCommandLine], of identifier: String, on channel: ClientChannel) {
        guard commands.count > 1 else {
            for command in commands { perform { $0.handle(command, of: identifier, on: channel) } }
            return
        }
        channel.holdsBack = true
        defer { channel.holdsBack = false }
        perform { state in
            let failure = state.stored { () throws(StoreError) in
                try state.store.batch { for command in commands { state.handle(command, of: identifier, on: channel) } }
            }
            // The client connects and sends them again.
            if failure != nil { channel.socket.shutDown() }
        }
    }

    /// The commands of a person.
    private func show(_ command: TransferCommand, _ channel: ClientChannel, _ watch: inout Int?) {
        switch command {
        case .list(TransferWire.version):
            let listing = result { state in try? state.listing() }
            guard let listing else { return channel.refuse(.storeUnusable, "The store cannot be read.") }
            channel.send(.listing(sessions: listing))
        case .cancelOf(TransferWire.version, let identifier, let task):
            perform { state in
                let key = TransferKey(session: identifier, number: task)
                if let unknown = state.stored({ () throws(StoreError) in _ = try state.store.scheduled(key) }) {
                    return channel.send(.reply(command: 0, failure: unknown, resumeData: nil))
                }
                state.cancel(key, keepsPart: false) { failure, _ in
                    channel.send(.reply(command: 0, failure: failure, resumeData: nil))
                }
                state.pump()
            }
        case .watch(TransferWire.version):
            if watch == nil { watch = log.watch { channel.send(.log(line: $0)) } }
        case .list, .cancelOf, .watch:
            log.write(
                "refuses process \(channel.process): it speaks another version of the protocol than this daemon, "
                    + "\(TransferWire.version)")
            channel.refuse(.otherVersion, "The transfer daemon speaks version \(TransferWire.version) of the protocol.")
        default: channel.refuse(.invalid, "The first command is not one of a new connection.")
        }
    }
}
