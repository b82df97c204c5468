package import AdapterProtocol
package import Scenario

/// A state machine that plays one scenario: inputs are events, outputs are actions. It uses neither clocks nor
/// processes nor sockets.
package struct RunMachine {
    package enum Input {
        case session(SessionEvent)
        case server(ServerFact)
        case name(DNSFact)
        case proxy(ProxyFact)
        /// A packet that a trigger names reached its link.
        case breakpoint(PacketBreakpoint)
        /// Time has passed.
        case tick
    }

    package enum Action: Hashable {
        case send(AdapterCommand)
        case apply([NetworkChange])
        /// Let the origin continue this response, which is held at a byte mark.
        case releaseBreakpoint(request: Int, bytes: Int64)
        /// Let the proxy continue, which waits at this place.
        case releaseProxy(ProxyMoment)
        /// A step for the record.
        case step(String)
        /// Everything is done and observed: end the conversation with the adapter.
        case finish
        case kill(KillReason, String)
    }

    /// The time for which the run watches for events that must not occur after everything is done (a second completion,
    /// a late retry).
    static let watch: Int64 = 150_000_000
    /// More events than any bounded scenario produces: the implementation or its adapter floods.
    static let eventBudget = 10_000

    private enum Armed {
        case waiting
        case due(at: Int64)
        case fired
    }
    private enum Phase: Equatable {
        case playing
        case watching(until: Int64)
        case finished
    }

    private let scenario: Scenario
    private let bodies: (ScriptStep) -> AdapterCommand?
    private var tracker: TriggerTracker
    private var timeline: [Armed]
    private var nextStep = 0
    private var stepDue: Int64?
    private var open: Set<TaskName> = []
    private var ended: Set<TaskName> = []
    private var invalidating: Set<SessionName> = []
    private var phase = Phase.playing
    private var events = 0
    private let limitAt: Int64
    private var pendingBreakpoints: [ByteBreakpoint]
    private var pausedProxies: [ProxyMoment]
    private var flapping = FlapSchedule()

    package struct ByteBreakpoint: Hashable {
        package var request: Int
        package var bytes: Int64
        /// True when the mark is released only after the client's kernel has received these bytes, not as soon as the
        /// origin has sent them.
        package var isAcknowledged = false
    }

    /// `bodies` turns a task step into its command, with the generated body bytes.
    package init(scenario: Scenario, start: Int64, bodies: @escaping (ScriptStep) -> AdapterCommand?) {
        self.scenario = scenario
        self.bodies = bodies
        self.tracker = TriggerTracker(start: start)
        self.timeline = scenario.timeline.map { _ in .waiting }
        self.limitAt = start + scenario.limit.nanoseconds
        self.pendingBreakpoints = RunMachine.breakpoints(of: scenario)
        self.pausedProxies = RunMachine.proxyBreakpoints(of: scenario)
    }

    /// Returns the byte positions at which the origin must pause, so that a change at byte N takes effect at byte N.
    package static func breakpoints(of scenario: Scenario) -> [ByteBreakpoint] {
        var breakpoints: Set<ByteBreakpoint> = []
        func add(_ trigger: Trigger) {
            switch trigger.moment {
            case .responseBody(let bytes, let request):
                breakpoints.insert(ByteBreakpoint(request: request, bytes: bytes))
            case .acknowledged(let bytes, let request):
                breakpoints.insert(ByteBreakpoint(request: request, bytes: bytes, isAcknowledged: true))
            case .time, .event, .invalidated, .delegateReleased, .request, .server, .connection, .proxy, .query,
                .packet, .wireBytes:
                break
            }
        }
        for entry in scenario.timeline { add(entry.trigger) }
        for case .await(let trigger) in scenario.script { add(trigger) }
        return breakpoints.sorted { ($0.request, $0.bytes) < ($1.request, $1.bytes) }
    }

    /// Returns the byte positions at which proxies must pause.
    package static func proxyBreakpoints(of scenario: Scenario) -> [ProxyMoment] {
        var triggers = scenario.timeline.map(\.trigger)
        for case .await(let trigger) in scenario.script { triggers.append(trigger) }
        var moments: [ProxyMoment] = []
        for trigger in triggers {
            guard case .proxy(let moment) = trigger.moment, case .carried = moment.event, !moments.contains(moment)
            else { continue }
            moments.append(moment)
        }
        return moments
    }

    /// Returns the packets that triggers name; the link reports only those.
    package static func packetBreakpoints(of scenario: Scenario) -> [PacketBreakpoint] {
        var triggers = scenario.timeline.map(\.trigger)
        for case .await(let trigger) in scenario.script { triggers.append(trigger) }
        return triggers.compactMap { trigger in
            switch trigger.moment {
            case .packet(let interface, let direction, let count):
                return PacketBreakpoint(interface: interface, direction: direction, place: .packet(count))
            case .wireBytes(let interface, let direction, let bytes, let connection):
                return PacketBreakpoint(
                    interface: interface, direction: direction, place: .bytes(bytes, connection: connection))
            case .time, .event, .invalidated, .delegateReleased, .request, .responseBody, .acknowledged, .server,
                .connection, .proxy, .query:
                return nil
            }
        }
    }

    /// Creates the sessions, then starts the script.
    package mutating func begin(at now: Int64) -> [Action] {
        var actions = scenario.sessions.map { Action.send(.makeSession($0.name, $0.configuration)) }
        advance(at: now, into: &actions)
        return actions
    }

    package mutating func handle(_ input: Input, at now: Int64) -> [Action] {
        var actions: [Action] = []
        guard phase != .finished else { return actions }
        switch input {
        case .session(let event):
            record(event, into: &actions)
        case .server(let fact):
            tracker.record(fact)
            checkBudget(after: fact, into: &actions)
        case .name(let fact):
            tracker.record(fact)
        case .proxy(let fact):
            tracker.record(fact)
        case .breakpoint(let breakpoint):
            tracker.record(breakpoint)
        case .tick:
            break
        }
        guard phase != .finished else { return actions }
        advance(at: now, into: &actions)
        return actions
    }

    /// The time by which `tick` must be sent.
    package var nextDeadline: Int64? {
        var deadlines: [Int64] = []
        switch phase {
        case .finished: return nil
        case .watching(let until): deadlines.append(until)
        case .playing: deadlines.append(limitAt)
        }
        if let stepDue { deadlines.append(stepDue) }
        if let next = flapping.nextDeadline { deadlines.append(next) }
        if nextStep < scenario.script.count, case .await(let trigger) = scenario.script[nextStep],
            let time = tracker.clockTime(of: trigger.moment)
        {
            deadlines.append(time)
        }
        for (index, state) in timeline.enumerated() {
            switch state {
            case .due(let time): deadlines.append(time)
            case .waiting:
                if let time = tracker.clockTime(of: scenario.timeline[index].trigger.moment) { deadlines.append(time) }
            case .fired: break
            }
        }
        return deadlines.min()
    }

    /// A description of the events that the run still waits for: the evidence of a hang.
    package var waitingFor: String {
        var parts: [String] = []
        if nextStep < scenario.script.count {
            parts.append("script step \(nextStep + 1) (\(scenario.script[nextStep].summary))")
        }
        if !open.isEmpty { parts.append("completion of " + open.map(\.text).sorted().joined(separator: ", ")) }
        if !invalidating.isEmpty {
            parts.append("didBecomeInvalid of " + invalidating.map(\.text).sorted().joined(separator: ", "))
        }
        return parts.isEmpty ? "nothing" : parts.joined(separator: "; ")
    }

    /// Timeline entries whose trigger was not reached.
    package var unreached: [TimelineEntry] {
        zip(scenario.timeline, timeline).compactMap { entry, state in
            if case .fired = state { nil } else { entry }
        }
    }

    // MARK: - Inside

    private mutating func record(_ event: SessionEvent, into actions: inout [Action]) {
        tracker.record(event.kind)
        events += 1
        if events > RunMachine.eventBudget {
            phase = .finished
            actions.append(.kill(.flood, "more than \(RunMachine.eventBudget) session events"))
            return
        }
        switch event.kind {
        case .task(let task, .didComplete), .task(let task, .completionHandler), .task(let task, .didBecomeStreams):
            open.remove(task)
            ended.insert(task)
        case .didBecomeInvalid(let session, error: _): invalidating.remove(session)
        case .unsupported, .adapterFailed:
            phase = .finished
            actions.append(.finish)
        case .task, .delegateReleased, .sessionPropertyRead, .hello, .log, .unknown: break
        }
    }

    private mutating func checkBudget(after fact: ServerFact, into actions: inout [Action]) {
        let budget = scenario.requestBudget
        if tracker.requests > budget {
            phase = .finished
            actions.append(.kill(.flood, "more than \(budget) requests reached the origin"))
        } else if tracker.connections > 4 * budget {
            phase = .finished
            actions.append(.kill(.flood, "more than \(4 * budget) connections reached the origin"))
        }
    }

    private mutating func advance(at now: Int64, into actions: inout [Action]) {
        playFlapping(at: now, into: &actions)
        playTimeline(at: now, into: &actions)
        playScript(at: now, into: &actions)
        releaseBreakpoints(at: now, into: &actions)
        settle(at: now, into: &actions)
    }

    private mutating func playTimeline(at now: Int64, into actions: inout [Action]) {
        for (index, entry) in scenario.timeline.enumerated() {
            if case .waiting = timeline[index], tracker.hasReached(entry.trigger.moment, at: now) {
                timeline[index] = .due(at: now + (entry.trigger.delay?.nanoseconds ?? 0))
            }
            if case .due(let time) = timeline[index], now >= time {
                timeline[index] = .fired
                actions.append(.step("timeline: \(entry.trigger.summary)"))
                apply(entry.changes, at: now, into: &actions)
            }
        }
    }

    private mutating func playScript(at now: Int64, into actions: inout [Action]) {
        while nextStep < scenario.script.count {
            let step = scenario.script[nextStep]
            if case .await(let trigger) = step {
                if stepDue == nil, tracker.hasReached(trigger.moment, at: now) {
                    stepDue = now + (trigger.delay?.nanoseconds ?? 0)
                }
                guard let due = stepDue, now >= due else { return }
                stepDue = nil
            }
            nextStep += 1
            perform(step, at: now, into: &actions)
        }
    }

    private mutating func apply(_ changes: [NetworkChange], at now: Int64, into actions: inout [Action]) {
        let atOnce = flapping.apply(changes, at: now)
        if !atOnce.isEmpty { actions.append(.apply(atOnce)) }
        playFlapping(at: now, into: &actions)
    }

    private mutating func playFlapping(at now: Int64, into actions: inout [Action]) {
        while let step = flapping.next(at: now) {
            actions.append(.step("flapping: \(step.change.summary)"))
            actions.append(.apply([step.change]))
        }
    }

    private mutating func perform(_ step: ScriptStep, at now: Int64, into actions: inout [Action]) {
        actions.append(.step("script \(nextStep): \(step.summary)"))
        switch step {
        case .task(let description, body: _, let starts):
            if let command = bodies(step) { actions.append(.send(command)) }
            if starts {
                open.insert(description.task)
                actions.append(.send(.resume(description.task)))
            }
        case .command(let command):
            // Resuming a task that has completed does nothing, so no second completion may be expected.
            if case .resume(let task) = command, !ended.contains(task) { open.insert(task) }
            if case .invalidate(let session, _) = command { invalidating.insert(session) }
            actions.append(.send(command))
        case .await: break
        case .change(let changes): apply(changes, at: now, into: &actions)
        }
    }

    private mutating func releaseBreakpoints(at now: Int64, into actions: inout [Action]) {
        let pendingBreakpoints = pendingBreakpoints
        self.pendingBreakpoints.removeAll { breakpoint in
            guard tracker.canRelease(breakpoint, among: pendingBreakpoints, at: now) else { return false }
            actions.append(.releaseBreakpoint(request: breakpoint.request, bytes: breakpoint.bytes))
            return true
        }
        pausedProxies.removeAll { moment in
            guard tracker.hasReached(.proxy(moment), at: now) else { return false }
            actions.append(.releaseProxy(moment))
            return true
        }
    }

    private mutating func settle(at now: Int64, into actions: inout [Action]) {
        let isDone = nextStep == scenario.script.count && open.isEmpty && invalidating.isEmpty
        switch phase {
        case .playing:
            if isDone {
                phase = .watching(until: now + RunMachine.watch)
            } else if now >= limitAt {
                phase = .finished
                actions.append(.kill(.limit, "after \(scenario.limit) the run still waits for \(waitingFor)"))
            }
        case .watching(let until):
            if !isDone {
                phase = .playing
            } else if now >= until {
                phase = .finished
                actions.append(.finish)
            }
        case .finished: break
        }
    }
}

extension RunMachine.ByteBreakpoint {
    var moment: Trigger.Moment {
        isAcknowledged ? .acknowledged(bytes: bytes, request: request) : .responseBody(bytes: bytes, request: request)
    }
}
