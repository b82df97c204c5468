import AdapterProtocol
import LinuxNet
import Scenario

/// The thread of an interactive lab: waits for the program, the clock and requests from other terminals, and changes
/// the lab.
final class SessionLoop {
    private let lab: Lab
    private let servers: LabServers
    private let process: SpawnedProcess
    private var resolver: ResolverFile
    private let exit: OwnedDescriptor
    private let inbox: Inbox<SessionMessage>
    private let description: LabDescription
    private let say: @Sendable (String) -> Void
    private let begun = MonotonicClock.now()
    private let sockets: SocketTable?
    private var network: SessionNetwork
    private var timeline: SessionTimeline
    private var poller: Poller
    private var sampler = LinkSampler()
    private var watchers: [ControlServer.Answer] = []
    private var windowEnd: Int64?
    private var stopAt: Int64?
    private var flapping = FlapSchedule()
    private var isKilled = false
    private let problems = SpokenOnce()

    private static let exitToken: UInt64 = 1
    private static let inboxToken: UInt64 = 2
    /// The window of a view for watchers.
    private static let window: Int64 = 500_000_000
    /// The time that a program gets to exit after SIGTERM.
    private static let grace: Int64 = 2_000_000_000
    /// Maximum number of connections in a view.
    private static let mostConnections = 200

    init(
        lab: Lab, servers: LabServers, process: SpawnedProcess, resolver: ResolverFile, inbox: Inbox<SessionMessage>, network: SessionNetwork,
        timeline: SessionTimeline, description: LabDescription, say: @escaping @Sendable (String) -> Void
    ) throws(HarnessError) {
        self.lab = lab
        self.servers = servers
        self.process = process
        self.resolver = resolver
        self.inbox = inbox
        self.network = network
        self.timeline = timeline
        self.description = description
        self.say = say
        sockets = try? SocketTable(in: lab.client)
        do throws(SystemCallError) {
            poller = try Poller.make()
            exit = try process.makeExitDescriptor()
            try exit.withRaw { raw throws(SystemCallError) in try poller.add(raw, for: .readable, token: SessionLoop.exitToken) }
            try inbox.register(in: poller, token: SessionLoop.inboxToken)
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
                case SessionLoop.exitToken: hasExited = true
                default: hasMessages = true
                }
            }
            if hasMessages { for message in inbox.take() { react(to: message) } }
            pass(MonotonicClock.now())
            if hasExited, let status = try process.wait() { return status }
        }
    }

    /// Timeline entries that the program did not reach.
    var unreached: [TimelineEntry] { timeline.unreached }

    private var nextMoment: Int64 {
        min(timeline.nextDeadline ?? .max, flapping.nextDeadline ?? .max, windowEnd ?? .max, stopAt ?? .max)
    }

    private func react(to message: SessionMessage) {
        switch message {
        case .server(let fact): timeline.note(fact)
        case .name(let fact): timeline.note(fact)
        case .mark(let mark):
            timeline.note(mark)
            perform(timeline.advance(to: MonotonicClock.now()))
            lab.goOn()
        case .control(let request, let answer): react(to: request, answer)
        // The user decides how to react to an engine failure; the program keeps running.
        case .failed(let reason): if problems.isNew(reason) { say(reason) }
        case .stopped: end()
        }
        // Applied after each message, not after all of them: a change belongs to its trigger.
        perform(timeline.advance(to: MonotonicClock.now()))
    }

    /// Sends SIGTERM to the program; `pass` kills it after a grace period.
    private func end() {
        guard stopAt == nil else { return }
        process.signal(15)
        stopAt = MonotonicClock.deadline(after: SessionLoop.grace)
    }

    private func pass(_ now: Int64) {
        if let at = stopAt, now >= at, !isKilled {
            isKilled = true
            stopAt = .max
            process.kill()
        }
        while let step = flapping.next(at: now) {
            do throws(ControlError) {
                say("flapping: \(try put([step.change]).joined(separator: ", "))")
            } catch {
                say("flapping: \(error)")
            }
        }
        if let end = windowEnd, now >= end { answerWatchers(now) }
    }

    // MARK: - Changes

    private func perform(_ actions: [SessionTimeline.Action]) {
        for action in actions {
            switch action {
            case .apply(let changes, because: let reason):
                do throws(ControlError) {
                    let words = try apply(changes)
                    say("\(reason): \(words.joined(separator: ", "))")
                } catch {
                    say("\(reason): \(error)")
                }
            case .releaseMark(let request, let bytes): servers.releaseMark(request: request, bytes: bytes)
            }
        }
    }

    private func apply(_ changes: [NetworkChange]) throws(ControlError) -> [String] {
        let flaps = changes.filter { if case .flaps = $0 { true } else { false } }
        return flaps.map(\.summary) + (try put(flapping.take(changes, at: MonotonicClock.now())))
    }

    private func put(_ changes: [NetworkChange]) throws(ControlError) -> [String] {
        var words: [String] = []
        for change in changes {
            do throws(HarnessError) {
                let resolved = network.resolved(change)
                if let words = try resolver.setNameServers(lab.nameServerAddresses(after: resolved), for: process) {
                    say("resolv.conf: \(words)")
                }
                try lab.apply(resolved)
                if case .name(let rule) = resolved { try servers.change(rule) }
            } catch {
                let before = words.isEmpty ? "" : "after \(words.joined(separator: ", ")) succeeded: "
                throw .malformed("\(before)\(change.summary): \(error)")
            }
            network.note(change)
            words.append(change.wordsInForce)
        }
        return words
    }

    // MARK: - Other terminals

    private func react(to request: ControlRequest, _ answer: @escaping ControlServer.Answer) {
        switch request {
        case .describe: answer(.lab(description))
        case .set(let change):
            do throws(ControlError) {
                let changes = try network.changes(change)
                for case .link(let kind, _) in changes { timeline.endSteps(of: kind) }
                let words = try apply(changes)
                say("from another terminal: \(words.joined(separator: ", "))")
                answer(.done(words))
            } catch {
                answer(.refused("\(error)"))
            }
        case .watch:
            watchers.append(answer)
            guard windowEnd == nil else { return }
            _ = sampler.sample(lab.traffic(), at: MonotonicClock.now(), of: network.plan)
            windowEnd = MonotonicClock.deadline(after: SessionLoop.window)
        }
    }

    /// Replies to all watchers with the same window; the next window has begun when they repeat their requests.
    private func answerWatchers(_ now: Int64) {
        guard !watchers.isEmpty else {
            windowEnd = nil
            sampler.forget()
            return
        }
        windowEnd = now + SessionLoop.window
        guard let (window, links) = sampler.sample(lab.traffic(), at: now, of: network.plan) else { return }
        let view = LabView(
            lab: description, age: now - begun, window: window, links: links, connections: connections())
        for answer in watchers { answer(.view(view)) }
        watchers = []
    }

    /// Returns the connections of the program inside, most traffic first.
    private func connections() -> [LabView.Connection] {
        let found = (try? sockets?.tcp()) ?? []
        let alive = found.filter { $0.state != .timeWait && $0.state != .closed }
        return alive.sorted { $0.bytesReceived + $0.bytesAcknowledged > $1.bytesReceived + $1.bytesAcknowledged }
            .prefix(SessionLoop.mostConnections).map { LabView.Connection($0) }
    }
}

extension NetworkChange {
    /// The summary, followed by the condition of a link in detail.
    fileprivate var wordsInForce: String {
        guard case .link(let kind, let link) = self else { return summary }
        let (down, up) = (link.down.summary, link.up.summary)
        return "\(kind.rawValue) \(link.name): " + (down == up ? down : "down \(down); up \(up)")
    }
}

extension LabView.Connection {
    init(_ socket: TCPSocket) {
        self.init(
            state: socket.state.words, local: "\(socket.local)", remote: "\(socket.remote)", roundTrip: socket.roundTrip,
            resent: Int(socket.retransmits), sent: socket.bytesAcknowledged, received: socket.bytesReceived,
            waiting: Int(socket.unacknowledged))
    }
}

extension TCPSocket.State {
    fileprivate var words: String {
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
