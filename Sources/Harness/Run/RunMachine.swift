package import AdapterProtocol
package import Lab
package import Record
package import ScenarioLanguage

/// A state machine that plays one scenario: inputs are events, outputs are actions. It uses neither clocks nor
/// processes nor sockets.
package struct RunMachine {
    package enum Input {
        case session(SessionEvent)
        case lab(LabEvent)
        /// The app's process has ended, as a step asked.
        case appEnded
        /// Time has passed.
        case tick
    }

    package enum Action: Hashable {
        case send(AdapterCommand)
        case apply([NetworkChange])
        case app(AppAction)
        case daemon(DaemonAction)
        /// Let the server continue that pauses here.
        case release(Breakpoint)
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

    private enum Phase: Equatable {
        case playing
        case watching(until: Int64)
        case finished
    }

    private let scenario: Scenario
    private let bodies: (ScriptStep) -> AdapterCommand?
    private var player: TimelinePlayer
    private var nextStep = 0
    private var stepDue: Int64?
    private var open: Set<TaskName> = []
    private var ended: Set<TaskName> = []
    /// The tasks that a step has suspended and none has resumed.
    private var suspended: Set<TaskName> = []
    private var invalidating: Set<SessionName> = []
    /// The tasks that were made in background sessions; a later process receives their events.
    private var background: [TaskDescription] = []
    /// The change of the app's process for which the next step waits.
    private var changing: AppAction?
    /// The app that runs, or ran last.
    private var app: String?
    private var phase = Phase.playing
    private var events = 0
    private let limitAt: Int64
    /// False for a client that does not report the end of a session, so that the run does not wait for it.
    private let reportsInvalidation: Bool

    /// `bodies` turns a task step into its command, with the generated body bytes.
    /// `reports` names the events that the client can report; nil: every event.
    package init(
        scenario: Scenario, start: Int64, reports: ReportedEvents? = nil,
        bodies: @escaping (ScriptStep) -> AdapterCommand?
    ) {
        reportsInvalidation = reports?.contains("didBecomeInvalid") ?? true
        self.scenario = scenario
        app = scenario.sessions.first?.app
        self.bodies = bodies
        self.player = TimelinePlayer(scenario, start: start)
        self.limitAt = start + scenario.limit.nanoseconds
    }

    /// Creates the sessions, then starts the script.
    package mutating func begin(at now: Int64) -> [Action] {
        var actions = makeSessions()
        advance(at: now, into: &actions)
        return actions
    }

    private func makeSessions() -> [Action] {
        scenario.sessions.filter { $0.app == app }.map { Action.send(.makeSession($0.name, $0.configuration)) }
    }

    package mutating func handle(_ input: Input, at now: Int64) -> [Action] {
        var actions: [Action] = []
        guard phase != .finished else { return actions }
        switch input {
        case .session(let event):
            record(event, into: &actions)
        case .lab(let event):
            player.record(event)
            checkBudget(into: &actions)
        case .appEnded: endApp()
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
        if let next = player.nextDeadline { deadlines.append(next) }
        if nextStep < scenario.script.count, case .await(let trigger) = scenario.script[nextStep],
            let time = player.tracker.clockTime(of: trigger.moment)
        {
            deadlines.append(time)
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
        if let changing { parts.append("the app's process, after `app: \(changing.rawValue)`") }
        if !invalidating.isEmpty {
            parts.append("didBecomeInvalid of " + invalidating.map(\.text).sorted().joined(separator: ", "))
        }
        return parts.isEmpty ? "nothing" : parts.joined(separator: "; ")
    }

    /// Timeline entries whose trigger was not reached.
    package var unreached: [TimelineEntry] { player.unreached }

    // MARK: - Inside

    /// Returns false if the delegate does not have the method, so that the run does not wait for it.
    private func reportsInvalidation(of session: SessionName) -> Bool {
        reportsInvalidation && scenario.sessions.contains { $0.name == session && $0.reportsInvalidation }
    }

    private mutating func record(_ event: SessionEvent, into actions: inout [Action]) {
        player.record(event.kind)
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
        case .hello where changing == .launch: restore(into: &actions)
        case .task, .delegateReleased, .didFinishEvents, .sessionPropertyRead, .tasksListed, .emptied, .hello, .log,
            .unknown:
            break
        }
    }

    // MARK: - Processes of the app

    /// The tasks of other sessions than background ones end with the process, and no event follows (BKGD-36).
    private mutating func endApp() {
        if changing?.ends == true { changing = nil }
        open.formIntersection(background.map(\.task))
        invalidating = []
    }

    /// Makes the sessions again in a process that has been launched. The tasks come first, because making a session
    /// delivers their missed events.
    private mutating func restore(into actions: inout [Action]) {
        changing = nil
        actions += background.filter { plan(of: $0)?.app == app }.map { .send(.restoreTask($0)) }
        actions += makeSessions()
    }

    private func plan(of task: TaskDescription) -> SessionPlan? {
        scenario.sessions.first { $0.name == task.session }
    }

    private mutating func checkBudget(into actions: inout [Action]) {
        let budget = scenario.requestBudget
        if player.tracker.requests > budget {
            phase = .finished
            actions.append(.kill(.flood, "more than \(budget) requests reached the origin"))
        } else if player.tracker.connections > 4 * budget {
            phase = .finished
            actions.append(.kill(.flood, "more than \(4 * budget) connections reached the origin"))
        }
    }

    private mutating func advance(at now: Int64, into actions: inout [Action]) {
        apply(player.advance(to: now), into: &actions)
        playScript(at: now, into: &actions)
        actions += player.releaseBreakpoints(at: now).map(Action.release)
        settle(at: now, into: &actions)
    }

    private mutating func playScript(at now: Int64, into actions: inout [Action]) {
        while nextStep < scenario.script.count, changing == nil {
            let step = scenario.script[nextStep]
            if case .await(let trigger) = step {
                if stepDue == nil, player.tracker.hasReached(trigger.moment, at: now) {
                    stepDue = now + (trigger.delay?.nanoseconds ?? 0)
                }
                if stepDue == nil, trigger.orTasksEnd, cannotCome(trigger.moment) { stepDue = now }
                guard let due = stepDue, now >= due else { return }
                stepDue = nil
            }
            nextStep += 1
            perform(step, at: now, into: &actions)
        }
    }

    /// Returns true if no task is left that could cause the moment; tasks that the script has suspended cannot.
    private func cannotCome(_ moment: Trigger.Moment) -> Bool {
        if case .event(let task, _, _) = moment, ended.contains(task) { return true }
        return open.isSubset(of: suspended) && invalidating.isEmpty
    }

    private func apply(_ changes: [TimelinePlayer.Change], into actions: inout [Action]) {
        for change in changes {
            switch change.cause {
            case .trigger(let trigger): actions.append(.step("timeline: \(trigger.summary)"))
            case .flapping: for step in change.immediate { actions.append(.step("flapping: \(step.summary)")) }
            case .request: break  // The step of the script is in the record already.
            }
            if !change.immediate.isEmpty { actions.append(.apply(change.immediate)) }
        }
    }

    private mutating func perform(_ step: ScriptStep, at now: Int64, into actions: inout [Action]) {
        actions.append(.step("script \(nextStep): \(step.summary)"))
        switch step {
        case .task(let description, body: _, let starts):
            if let command = bodies(step) {
                actions.append(.send(command))
                if case .makeTask(let made) = command, plan(of: made)?.configuration.kind == .background {
                    background.append(made)
                }
            }
            if starts {
                open.insert(description.task)
                actions.append(.send(.resume(description.task)))
            }
        case .command(let command):
            // Resuming a task that has completed does nothing, so no second completion may be expected.
            if case .resume(let task) = command {
                suspended.remove(task)
                if !ended.contains(task) { open.insert(task) }
            }
            if case .suspend(let task) = command { suspended.insert(task) }
            if case .invalidate(let session, _) = command, reportsInvalidation(of: session) {
                invalidating.insert(session)
            }
            actions.append(.send(command))
        case .await: break
        case .app(let action):
            if action.ends || action == .launch { changing = action }
            actions.append(.app(action))
        case .launch(let name):
            app = name
            changing = .launch
            actions.append(.app(.launch))
        case .daemon(let action): actions.append(.daemon(action))
        case .change(let changes):
            apply([player.start(changes, because: .request, at: now)] + player.advance(to: now), into: &actions)
        }
    }

    private mutating func settle(at now: Int64, into actions: inout [Action]) {
        let isDone =
            nextStep == scenario.script.count && open.isEmpty && invalidating.isEmpty && changing == nil
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
