import AdapterProtocol
import LabKernel
import LinkEmulator
import NetworkMonitor
import Scenario

/// The thread of an interactive lab: waits for the program, the clock and requests from other terminals, and changes
/// the lab.
final class InteractiveLabLoop {
    private let lab: Lab
    private let servers: LabServers
    private let process: SpawnedProcess
    private var resolver: ResolverFile
    private let exit: OwnedDescriptor
    private let inbox: Inbox<InteractiveLabMessage>
    private let description: LabDescription
    private let log: @Sendable (String) -> Void
    private let begun = MonotonicClock.now()
    private let sockets: SocketTable?
    private var network: InteractiveLabNetwork
    private var timeline: InteractiveLabTimeline
    private var poller: Poller
    private var sampler = LinkSampler()
    private var watchers: [ControlServer.Reply] = []
    private var windowEnd: Int64?
    private var stopAt: Int64?
    private var flapping = FlapSchedule()
    private var isKilled = false
    private let problems = OnceLogger()

    private static let exitToken: UInt64 = 1
    private static let inboxToken: UInt64 = 2
    /// The window of a view for watchers.
    private static let window: Int64 = 500_000_000
    /// The time that a program gets to exit after SIGTERM.
    private static let grace: Int64 = 2_000_000_000
    /// Maximum number of connections in a view.
    private static let mostConnections = 200

    init(
        lab: Lab, servers: LabServers, process: SpawnedProcess, resolver: ResolverFile,
        inbox: Inbox<InteractiveLabMessage>, network: InteractiveLabNetwork,
        timeline: InteractiveLabTimeline, description: LabDescription, log: @escaping @Sendable (String) -> Void
    ) throws(HarnessError) {
        self.lab = lab
        self.servers = servers
        self.process = process
        self.resolver = resolver
        self.inbox = inbox
        self.network = network
        self.timeline = timeline
        self.description = description
        self.log = log
        sockets = try? SocketTable(in: lab.client)
        do throws(SystemCallError) {
            poller = try Poller.make()
            exit = try process.makeExitDescriptor()
            try exit.withRaw { raw throws(SystemCallError) in
                try poller.add(raw, for: .readable, token: InteractiveLabLoop.exitToken)
            }
            try inbox.register(in: poller, token: InteractiveLabLoop.inboxToken)
        } catch {
            throw .lab("\(error)")
        }
    }

    /// Waits for the end of the program and returns its exit status.
    func run() throws(HarnessError) -> ExitStatus {
        let status: ExitStatus
        do throws(SystemCallError) { status = try waitForEnd() } catch { throw .lab("\(error)") }
        return status
    }

    private func waitForEnd() throws(SystemCallError) -> ExitStatus {
        while true {
            var hasExited = false
            var hasMessages = false
            perform(timeline.advance(to: MonotonicClock.now()))
            try poller.wait(until: nextMoment) { event in
                switch event.token {
                case InteractiveLabLoop.exitToken: hasExited = true
                default: hasMessages = true
                }
            }
            if hasMessages { for message in inbox.drain() { react(to: message) } }
            tick(MonotonicClock.now())
            if hasExited, let status = try process.wait() { return status }
        }
    }

    /// Timeline entries that the program did not reach.
    var unreached: [TimelineEntry] { timeline.unreached }

    private var nextMoment: Int64 {
        min(timeline.nextDeadline ?? .max, flapping.nextDeadline ?? .max, windowEnd ?? .max, stopAt ?? .max)
    }

    private func react(to message: InteractiveLabMessage) {
        switch message {
        case .server(let fact): timeline.record(fact)
        case .name(let fact): timeline.record(fact)
        case .breakpoint(let breakpoint):
            timeline.record(breakpoint)
            perform(timeline.advance(to: MonotonicClock.now()))
            lab.resume()
        case .control(let request, let reply): react(to: request, reply)
        // The user decides how to react to an engine failure; the program keeps running.
        case .failed(let reason): if problems.isNew(reason) { log(reason) }
        case .stopped: end()
        }
        // Applied after each message, not after all of them: a change belongs to its trigger.
        perform(timeline.advance(to: MonotonicClock.now()))
    }

    /// Sends SIGTERM to the program; `pass` kills it after a grace period.
    private func end() {
        guard stopAt == nil else { return }
        process.signal(15)
        stopAt = MonotonicClock.deadline(after: InteractiveLabLoop.grace)
    }

    private func tick(_ now: Int64) {
        if let at = stopAt, now >= at, !isKilled {
            isKilled = true
            stopAt = .max
            process.kill()
        }
        while let step = flapping.next(at: now) {
            do throws(ControlError) {
                log("flapping: \(try put([step.change]).joined(separator: ", "))")
            } catch {
                log("flapping: \(error)")
            }
        }
        if let end = windowEnd, now >= end { updateWatchers(now) }
    }

    // MARK: - Changes

    private func perform(_ actions: [InteractiveLabTimeline.Action]) {
        for action in actions {
            switch action {
            case .apply(let changes, because: let reason):
                do throws(ControlError) {
                    let words = try apply(changes)
                    log("\(reason): \(words.joined(separator: ", "))")
                } catch {
                    log("\(reason): \(error)")
                }
            case .releaseBreakpoint(let request, let bytes): servers.releaseBreakpoint(request: request, bytes: bytes)
            }
        }
    }

    private func apply(_ changes: [NetworkChange]) throws(ControlError) -> [String] {
        let flaps = changes.filter { if case .flaps = $0 { true } else { false } }
        return flaps.map(\.summary) + (try put(flapping.apply(changes, at: MonotonicClock.now())))
    }

    private func put(_ changes: [NetworkChange]) throws(ControlError) -> [String] {
        var words: [String] = []
        for change in changes {
            do throws(HarnessError) {
                let resolved = network.resolved(change)
                if let words = try resolver.setNameServers(lab.nameServerAddresses(after: resolved), for: process) {
                    log("resolv.conf: \(words)")
                }
                try lab.apply(resolved)
                if case .name(let rule) = resolved { try servers.change(rule) }
            } catch {
                let before = words.isEmpty ? "" : "after \(words.joined(separator: ", ")) succeeded: "
                throw .malformed("\(before)\(change.summary): \(error)")
            }
            network.record(change)
            words.append(change.effectiveDescription)
        }
        return words
    }

    // MARK: - Other terminals

    private func react(to request: ControlRequest, _ reply: @escaping ControlServer.Reply) {
        switch request {
        case .describe: reply(.lab(description))
        case .set(let change):
            do throws(ControlError) {
                let changes = try network.changes(change)
                for case .link(let kind, _) in changes { timeline.endSteps(of: kind) }
                let words = try apply(changes)
                log("from another terminal: \(words.joined(separator: ", "))")
                reply(.done(words))
            } catch {
                reply(.refused("\(error)"))
            }
        case .watch:
            watchers.append(reply)
            guard windowEnd == nil else { return }
            _ = sampler.sample(lab.traffic(), at: MonotonicClock.now(), of: network.plan)
            windowEnd = MonotonicClock.deadline(after: InteractiveLabLoop.window)
        }
    }

    /// Replies to all watchers with the same window; the next window has begun when they repeat their requests.
    private func updateWatchers(_ now: Int64) {
        guard !watchers.isEmpty else {
            windowEnd = nil
            sampler.forget()
            return
        }
        windowEnd = now + InteractiveLabLoop.window
        guard let (window, links) = sampler.sample(lab.traffic(), at: now, of: network.plan) else { return }
        let view = LabView(
            lab: description, age: now - begun, window: window, links: links, connections: connections())
        for reply in watchers { reply(.view(view)) }
        watchers = []
    }

    /// Returns the connections of the program inside, most traffic first.
    private func connections() -> [LabView.Connection] {
        let found = (try? sockets?.tcp()) ?? []
        let alive = found.filter { $0.state != .timeWait && $0.state != .closed }
        return alive.sorted { $0.bytesReceived + $0.bytesAcknowledged > $1.bytesReceived + $1.bytesAcknowledged }
            .prefix(InteractiveLabLoop.mostConnections).map { LabView.Connection($0) }
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
