import Record
import AdapterProtocol
import LabKernel
import LinkEmulator
import LinkEngines
import NetworkMonitor
import ScenarioLanguage

/// Drives the program of an interactive lab: plays the timeline, serves other terminals, and changes the lab.
final class InteractiveLabController: LabDriverDelegate {
    let driver: LabDriver
    let process: SpawnedProcess
    private let exit: OwnedDescriptor
    private let interrupts: OwnedDescriptor
    private let description: LabDescription
    let log: @Sendable (String) -> Void
    private let record: @Sendable (RecordEntry.Fact) -> Void
    private let observer: ((LabObservation, Int64) -> Void)?
    /// The time at which the program is ended.
    private let limitAt: Int64?
    /// True if the program was ended at its timeout.
    private(set) var isTimedOut = false
    /// True if the program was ended because it still ran after Ctrl-C at the terminal.
    private(set) var isInterrupted = false
    /// The time at which the lab next reacts to Ctrl-C: with a message, then by ending the program.
    private var interruption: (at: Int64, isAnnounced: Bool)?
    /// The limit that the program exceeded, for which it was killed.
    private(set) var excess: String?
    private let begun = MonotonicClock.now()
    private let sockets: SocketTable?
    /// The network, the names and the origin at the start.
    let start: Scenario
    var network: InteractiveLabNetwork
    var player: TimelinePlayer
    private(set) var history = LabHistory()
    /// The triggers that requests added, each with the requests that wait for it.
    var added: [Trigger: [ControlServer.Reply]] = [:]
    private var sampler = LinkSampler()
    private var watchers: [ControlServer.Reply] = []
    private var windowEnd: Int64?
    private var stopAt: Int64?
    private var isKilled = false
    private var hasExited = false
    private var status: ExitStatus?
    private let problems = OnceLogger()
    private var nextLook: Int64
    /// The time since which the lab's first process has been seen stopped.
    private var stoppedSince: Int64?

    private static let exitToken: UInt64 = 1
    private static let interruptToken: UInt64 = 2
    /// The window of a view for watchers.
    private static let window: Int64 = 500_000_000
    /// The time that a program gets to exit after SIGTERM.
    private static let grace: Int64 = 2_000_000_000
    /// A program that handles Ctrl-C by itself usually ends within this time, and needs no message.
    private static let silentTime: Int64 = 500_000_000
    /// The time from the message to SIGTERM: with `grace` the lab has ended 5 s after the first Ctrl-C.
    private static let announcedTime: Int64 = 2_500_000_000
    /// The interval between two examinations of the program's limits and its first process.
    private static let lookInterval: Int64 = 500_000_000
    /// A first process that is stopped for this long is killed: it would not notice the program's end.
    private static let stoppedTime: Int64 = 5_000_000_000
    /// Maximum number of connections in a view.
    private static let mostConnections = 200

    init(
        driver: LabDriver, process: SpawnedProcess, start: Scenario, timeout: Duration?,
        record: @escaping @Sendable (RecordEntry.Fact) -> Void, network: InteractiveLabNetwork, player: TimelinePlayer,
        description: LabDescription, log: @escaping @Sendable (String) -> Void,
        observe: ((LabObservation, Int64) -> Void)? = nil
    ) throws(LabError) {
        self.record = record
        observer = observe
        limitAt = timeout.map { MonotonicClock.deadline(after: $0.nanoseconds) }
        self.driver = driver
        self.process = process
        self.start = start
        self.network = network
        self.player = player
        self.description = description
        self.log = log
        nextLook = begun + InteractiveLabController.lookInterval
        sockets = try? SocketTable(in: driver.lab.client)
        do throws(SystemCallError) {
            exit = try process.makeExitDescriptor()
            interrupts = try process.makeInterruptDescriptor()
        } catch {
            throw .failed("\(error)")
        }
    }

    /// Waits for the end of the program and returns its exit status.
    func run() throws(LabError) -> ExitStatus {
        do throws(SystemCallError) { try driver.run(self) } catch { throw .failed("\(error)") }
        guard let status else { preconditionFailure("the loop ends only with the program") }
        return status
    }

    /// Timeline entries that the program did not reach.
    var unreached: [TimelineEntry] { player.unreached }

    var hasEnded: Bool { status != nil }

    /// The time since the program's start, in nanoseconds.
    private var age: Int64 { MonotonicClock.now() - begun }

    /// True if the lab has begun to end the program.
    var isStopping: Bool { stopAt != nil }

    var nextDeadline: Int64 {
        min(
            player.nextDeadline ?? .max, windowEnd ?? .max, stopAt ?? min(limitAt ?? .max, interruption?.at ?? .max),
            nextLook)
    }

    func register(in poller: borrowing Poller) throws(SystemCallError) {
        try exit.withRaw { raw throws(SystemCallError) in
            try poller.add(raw, for: .readable, token: InteractiveLabController.exitToken)
        }
        try interrupts.withRaw { raw throws(SystemCallError) in
            try poller.add(raw, for: .readable, token: InteractiveLabController.interruptToken)
        }
    }

    func handle(_ event: Poller.Event, in poller: borrowing Poller) throws(SystemCallError) {
        guard event.token == InteractiveLabController.interruptToken else {
            hasExited = true
            return
        }
        if process.takeInterrupt() {
            interrupt()
        } else {
            // The program's end, which `wait` reads: the descriptor would stay readable until then.
            try interrupts.withRaw { raw throws(SystemCallError) in try poller.remove(raw) }
        }
    }

    /// Handles Ctrl-C at the terminal, which the program has received too: the first is left to it, the second kills it.
    private func interrupt() {
        guard interruption != nil else {
            interruption = (MonotonicClock.deadline(after: InteractiveLabController.silentTime), false)
            return
        }
        guard !isKilled else { return }
        isInterrupted = true
        isKilled = true
        stopAt = .max
        process.kill()
    }

    func handle(_ message: LabMessage) {
        switch message {
        case .event(let event):
            observe(.event(event))
            player.record(event)
            history.record(event, at: age)
        case .control(let request, let reply): react(to: request, reply)
        // The user decides how to react to an engine failure; the program keeps running.
        case .failed(let reason): if problems.isNew(reason) { log(reason) }
        case .stopped: end()
        }
        // Applied after each message, not after all of them: a change belongs to its trigger.
        advance(to: MonotonicClock.now())
    }

    /// Sends SIGTERM to the program; `tick` kills it after a grace period.
    private func end() {
        guard stopAt == nil else { return }
        process.signal(15)
        stopAt = MonotonicClock.deadline(after: InteractiveLabController.grace)
    }

    func tick(_ now: Int64, in poller: borrowing Poller) throws(SystemCallError) {
        if let at = limitAt, now >= at, stopAt == nil, !hasExited {
            isTimedOut = true
            end()
        }
        if let (at, isAnnounced) = interruption, now >= at, stopAt == nil, !hasExited {
            if isAnnounced {
                isInterrupted = true
                end()
            } else {
                log("stopping; press Ctrl-C again to stop immediately")
                interruption = (now + InteractiveLabController.announcedTime, true)
            }
        }
        if let at = stopAt, now >= at, !isKilled {
            isKilled = true
            stopAt = .max
            process.kill()
        }
        if now >= nextLook { look(now) }
        if let end = windowEnd, now >= end { updateWatchers(now) }
        advance(to: now)
        if hasExited { status = try process.wait() }
    }

    /// Kills the program when it exceeds a limit that the kernel does not enforce, or when its first process stays stopped.
    private func look(_ now: Int64) {
        nextLook = now + InteractiveLabController.lookInterval
        guard !isKilled, !hasExited else { return }
        stoppedSince = process.isInitStopped ? stoppedSince ?? now : nil
        var reason = process.watchedUsage?.excess(over: driver.environment.isolation.limits)
        if let since = stoppedSince, now - since >= InteractiveLabController.stoppedTime {
            reason = "the lab's first process has been stopped from outside for 5 s"
        }
        if driver.environment.isFolderFull(of: process), problems.isNew(ClientEnvironment.fullFolder) {
            log(ClientEnvironment.fullFolder)
        }
        guard let reason else { return }
        log("\(reason); the program is killed")
        excess = reason
        isKilled = true
        stopAt = .max
        process.kill()
    }

    func observe(_ observation: LabObservation) { observer?(observation, MonotonicClock.now() - begun) }

    /// The next packet of the link with a queue, which only a recording needs.
    var moving: Trigger.Moment? { observer == nil ? nil : LinkTraffic.moving(driver.lab.traffic()) }

    // MARK: - Changes

    private func advance(to now: Int64) {
        for change in player.advance(to: now) { perform(change) }
        for breakpoint in player.releaseBreakpoints(at: now) { driver.servers.release(breakpoint) }
    }

    private func perform(_ change: TimelinePlayer.Change) {
        let reason: String
        var waiting: [ControlServer.Reply] = []
        switch change.cause {
        case .trigger(let trigger):
            reason = trigger.summary
            if let replies = added.removeValue(forKey: trigger) {
                waiting = replies
                for case .link(let kind, _) in change.immediate { player.endSteps(of: kind) }
            }
        case .flapping: reason = "flapping"
        case .request: reason = "on request"
        }
        if change.cause != .request { record(.step("timeline: \(reason)")) }
        do throws(ControlError) {
            let words = try apply(change)
            report(words, because: reason)
            for reply in waiting { reply(.done(words)) }
        } catch {
            record(.note(.harnessFault("\(reason): \(error)")))
            report(LabHistory.Change(time: age, cause: reason, changes: [], failure: "\(error)"))
            for reply in waiting { reply(.refused("\(error)")) }
        }
    }

    func report(_ changes: [String], because cause: String) {
        report(LabHistory.Change(time: age, cause: cause, changes: changes))
    }

    private func report(_ change: LabHistory.Change) {
        history.record(change)
        if !change.changes.isEmpty || change.failure != nil { log(change.summary) }
    }

    func apply(_ change: TimelinePlayer.Change) throws(ControlError) -> [String] {
        var words = change.flapping.map(\.summary)
        for change in change.immediate {
            do throws(LabError) { try driver.apply(network.resolved(change), for: process) } catch {
                let before = words.isEmpty ? "" : "after \(words.joined(separator: ", ")) succeeded: "
                throw .malformed("\(before)\(change.summary): \(error)")
            }
            network.record(change)
            if case .name = change { record(.network(.dnsService(change.summary))) }
            words.append(change.effectiveDescription)
        }
        return words
    }

    // MARK: - Other terminals

    private func react(to request: ControlRequest, _ reply: @escaping ControlServer.Reply) {
        switch request {
        case .describe: reply(.lab(description))
        case .seen(let after): reply(.seen(history.json(after: after)))
        case .set(let change): answer(reply) { () throws(ControlError) in try set(change) }
        case .faults(let faults): answer(reply) { () throws(ControlError) in try setFaults(faults) }
        case .reset: answer(reply) { () throws(ControlError) in try reset() }
        case .after(let when, let change, let waits):
            do throws(ControlError) {
                let summary = try add(when, change, waiting: waits ? reply : nil)
                if !waits { reply(.done([summary])) }
            } catch {
                reply(.refused("\(error)"))
            }
        case .watch:
            watchers.append(reply)
            guard windowEnd == nil else { return }
            _ = sampler.sample(driver.lab.traffic(), at: MonotonicClock.now(), of: network.plan)
            windowEnd = MonotonicClock.deadline(after: InteractiveLabController.window)
        }
    }

    private func answer(_ reply: ControlServer.Reply, _ body: () throws(ControlError) -> [String]) {
        do throws(ControlError) { reply(.done(try body())) } catch { reply(.refused("\(error)")) }
    }

    /// Replies to all watchers with the same window; the next window has begun when they repeat their requests.
    private func updateWatchers(_ now: Int64) {
        guard !watchers.isEmpty else {
            windowEnd = nil
            sampler.forget()
            return
        }
        windowEnd = now + InteractiveLabController.window
        guard let (window, links) = sampler.sample(driver.lab.traffic(), at: now, of: network.plan) else { return }
        let view = LabView(
            lab: description, age: now - begun, window: window, links: links, connections: connections(),
            requests: history.lastRequests, queries: history.lastQueries, changes: history.lastChanges,
            nat64: network.plan.nat64 != nil)
        for reply in watchers { reply(.view(view)) }
        watchers = []
    }

    /// Returns the connections of the program inside, most traffic first.
    private func connections() -> [LabView.Connection] {
        let found = (try? sockets?.tcp()) ?? []
        let alive = found.filter { $0.state != .timeWait && $0.state != .closed }
        return alive.sorted { $0.bytesReceived + $0.bytesAcknowledged > $1.bytesReceived + $1.bytesAcknowledged }
            .prefix(InteractiveLabController.mostConnections).map { LabView.Connection($0) }
    }
}

extension NetworkChange {
    /// The summary, followed by the condition of a link in detail.
    fileprivate var effectiveDescription: String {
        guard case .link(let kind, let link) = self else { return summary }
        let (down, up) = (link.downlink.summary, link.uplink.summary)
        return "\(kind.rawValue) \(link.name): " + (down == up ? down : "down \(down); up \(up)")
    }
}

extension LabView.Connection {
    init(_ socket: TCPSocket) {
        self.init(
            state: socket.state.description, local: "\(socket.local)", remote: "\(socket.remote)",
            roundTrip: socket.roundTrip,
            resent: Int(socket.retransmits), sent: socket.bytesAcknowledged, received: socket.bytesReceived,
            waiting: Int(socket.unacknowledged))
    }
}

extension TCPSocket.State {
    fileprivate var description: String {
        switch self {
        case .established: "established"
        case .synSent: "connecting"
        case .synReceived, .newSynReceived: "being accepted"
        case .finWait1: "closing (FIN sent)"
        case .finWait2: "half closed (by us)"
        case .timeWait: "time-wait"
        case .closed: "closed"
        case .closeWait: "half closed (by the peer)"
        case .lastAck, .closing: "closing"
        case .listening: "listening"
        }
    }
}
