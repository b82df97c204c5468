import AdapterProtocol
import Lab
import LinkEmulator
import Record
import ScenarioLanguage
import Testing

@testable import Harness

/// Tests the run as a value: its actions and their times need no process, socket or clock.
@Suite struct RunMachineTests {
    private static let second: Int64 = 1_000_000_000

    private static func scenario(_ change: (inout Scenario) -> Void = { _ in }) -> Scenario {
        var scenario = Scenario(file: "a.yaml", id: "a", title: "a")
        scenario.sessions = [SessionPlan(name: .main, configuration: SessionConfiguration())]
        scenario.script = [task("first")]
        change(&scenario)
        return scenario
    }

    private static func task(_ name: TaskName, starts: Bool = true) -> ScriptStep {
        .task(TaskDescription(task: name, kind: .data, url: "http://api.test/"), body: nil, starts: starts)
    }

    private static func machine(_ scenario: Scenario) -> RunMachine {
        RunMachine(scenario: scenario, start: 0) { step in
            guard case .task(let description, body: _, starts: _) = step else { return nil }
            return .makeTask(description)
        }
    }

    private static func event(_ task: TaskName, _ event: TaskEvent) -> RunMachine.Input {
        .session(SessionEvent(sequence: 1, time: 0, kind: .task(task, event)))
    }

    private static let done: TaskEvent = .didComplete(nil, resumeDataLength: nil)

    /// Returns the actions without those for the record.
    private static func actions(_ actions: [RunMachine.Action]) -> [RunMachine.Action] {
        actions.filter { if case .step = $0 { false } else { true } }
    }

    @Test func `sessions are created first, then the script plays up to its first await`() {
        var machine = Self.machine(
            Self.scenario {
                $0.script = [Self.task("first"), .await(Trigger(.request(1))), .command(.cancel("first"))]
            })
        let actions = Self.actions(machine.begin(at: 0))
        #expect(
            actions == [
                .send(.makeSession(.main, SessionConfiguration())),
                .send(.makeTask(TaskDescription(task: "first", kind: .data, url: "http://api.test/"))),
                .send(.resume("first")),
            ])
        let head = ServerFact.requestHead(
            connection: 1, exchange: 1, request: 1, method: "GET", target: "/", headers: [])
        #expect(Self.actions(machine.handle(.lab(.server(head)), at: 5)) == [.send(.cancel("first"))])
    }

    @Test func `an await that also ends with the tasks continues when the last one has ended`() {
        var trigger = Trigger(.request(2))
        trigger.orTasksEnd = true
        var machine = Self.machine(
            Self.scenario {
                $0.script = [Self.task("first"), Self.task("second"), .await(trigger), Self.task("third")]
            })
        _ = machine.begin(at: 0)
        #expect(Self.actions(machine.handle(Self.event("first", Self.done), at: 5)).isEmpty)
        #expect(
            Self.actions(machine.handle(Self.event("second", Self.done), at: 6)) == [
                .send(.makeTask(TaskDescription(task: "third", kind: .data, url: "http://api.test/"))),
                .send(.resume("third")),
            ])
    }

    /// The task that could cause the moment has ended, or only a suspended one is left.
    @Test func `an await that also ends with the tasks does not wait for what cannot come`() {
        for moment in [Trigger.Moment.event("second", .didReceiveResponse, count: 1), .request(3)] {
            var trigger = Trigger(moment)
            trigger.orTasksEnd = true
            var machine = Self.machine(
                Self.scenario {
                    $0.script = [
                        Self.task("first"), .command(.suspend("first")), Self.task("second"), .await(trigger),
                        .command(.resume("first")), .await(trigger), .command(.cancel("first")),
                    ]
                })
            _ = machine.begin(at: 0)
            let actions = Self.actions(machine.handle(Self.event("second", Self.done), at: 5))
            #expect(actions.first == .send(.resume("first")))
            // Resumed, the first task may make a request again; the event of the second one can never come.
            #expect(actions.count == (moment == .request(3) ? 1 : 2))
        }
    }

    @Test func `an await that does not end with the tasks keeps waiting`() {
        var machine = Self.machine(
            Self.scenario { $0.script = [Self.task("first"), .await(Trigger(.request(2))), Self.task("second")] })
        _ = machine.begin(at: 0)
        #expect(Self.actions(machine.handle(Self.event("first", Self.done), at: 5)).isEmpty)
    }

    @Test func `the conversation ends only after the watch for late events`() {
        var machine = Self.machine(Self.scenario())
        _ = machine.begin(at: 0)
        #expect(Self.actions(machine.handle(Self.event("first", Self.done), at: Self.second)).isEmpty)
        #expect(machine.nextDeadline == Self.second + RunMachine.watch)
        #expect(Self.actions(machine.handle(.tick, at: Self.second + RunMachine.watch - 1)).isEmpty)
        #expect(Self.actions(machine.handle(.tick, at: Self.second + RunMachine.watch)) == [.finish])
        #expect(machine.nextDeadline == nil)
    }

    @Test func `a task that is resumed after its completion is not waited for again`() {
        var machine = Self.machine(
            Self.scenario {
                $0.script = [Self.task("first"), .await(Trigger(.request(1))), .command(.resume("first"))]
            })
        _ = machine.begin(at: 0)
        _ = machine.handle(Self.event("first", Self.done), at: 1)
        let head = ServerFact.requestHead(
            connection: 1, exchange: 1, request: 1, method: "GET", target: "/", headers: [])
        #expect(Self.actions(machine.handle(.lab(.server(head)), at: Self.second)) == [.send(.resume("first"))])
        #expect(machine.nextDeadline == Self.second + RunMachine.watch)
    }

    @Test func `a task that was never started is not waited for`() {
        var machine = Self.machine(Self.scenario { $0.script = [Self.task("first", starts: false)] })
        _ = machine.begin(at: 0)
        #expect(Self.actions(machine.handle(.tick, at: RunMachine.watch)) == [.finish])
    }

    @Test func `silence past the limit is a hang whose text names what is missing`() {
        var machine = Self.machine(Self.scenario { $0.limit = .seconds(3) })
        _ = machine.begin(at: 0)
        #expect(Self.actions(machine.handle(.tick, at: 3 * Self.second - 1)).isEmpty)
        let actions = Self.actions(machine.handle(.tick, at: 3 * Self.second))
        guard case .kill(.limit, let text) = actions.first else {
            Issue.record("expected a kill, got \(actions)")
            return
        }
        #expect(text.contains("completion of first"))
    }

    @Test func `a change at byte N is applied before the origin continues past byte N`() {
        let trigger = Trigger(.responseSent(bytes: 65_536, request: 1))
        let change = NetworkChange.interfaceState(.wifi, .down)
        var machine = Self.machine(Self.scenario { $0.timeline = [TimelineEntry(trigger: trigger, changes: [change])] })
        _ = machine.begin(at: 0)
        #expect(Self.actions(machine.handle(.lab(.server(.responseBody(request: 1, bytes: 65_535))), at: 1)).isEmpty)
        #expect(
            Self.actions(machine.handle(.lab(.server(.responseBody(request: 1, bytes: 65_536))), at: 2))
                == [.apply([change]), .release(.response(request: 1, bytes: 65_536))])
    }

    @Test func `a change at an acknowledged byte waits for the client's kernel, not for the origin's`() {
        let trigger = Trigger(.acknowledged(bytes: 65_536, request: 1))
        let change = NetworkChange.interfaceState(.wifi, .down)
        let scenario = Self.scenario { $0.timeline = [TimelineEntry(trigger: trigger, changes: [change])] }
        #expect(scenario.breakpoints == [.response(request: 1, bytes: 65_536)])
        var machine = Self.machine(scenario)
        _ = machine.begin(at: 0)
        #expect(Self.actions(machine.handle(.lab(.server(.responseBody(request: 1, bytes: 65_536))), at: 1)).isEmpty)
        #expect(
            Self.actions(machine.handle(.lab(.server(.acknowledged(connection: 1, request: 1, bytes: 65_535))), at: 2))
                .isEmpty)
        #expect(
            Self.actions(machine.handle(.lab(.server(.acknowledged(connection: 1, request: 1, bytes: 65_536))), at: 3))
                == [.apply([change]), .release(.response(request: 1, bytes: 65_536))])
    }

    @Test func `a byte awaited as sent and as acknowledged is released when it is both`() {
        let entries = [Trigger(.responseSent(bytes: 9, request: 1)), Trigger(.acknowledged(bytes: 9, request: 1))]
            .map { TimelineEntry(trigger: $0, changes: []) }
        var machine = Self.machine(Self.scenario { $0.timeline = entries })
        _ = machine.begin(at: 0)
        let sent = Self.actions(machine.handle(.lab(.server(.responseBody(request: 1, bytes: 9))), at: 1))
        #expect(!sent.contains(.release(.response(request: 1, bytes: 9))))
        let known = Self.actions(
            machine.handle(.lab(.server(.acknowledged(connection: 1, request: 1, bytes: 9))), at: 2))
        #expect(known.contains(.release(.response(request: 1, bytes: 9))))
    }

    @Test func `an origin event can be awaited for a request, for a connection or for any`() {
        func continues(_ moment: ServerMoment, after facts: [ServerFact]) -> Bool {
            var machine = Self.machine(
                Self.scenario {
                    $0.script = [Self.task("first"), .await(Trigger(.server(moment))), .command(.cancel("first"))]
                })
            var actions = machine.begin(at: 0)
            for (index, fact) in facts.enumerated() { actions += machine.handle(.lab(.server(fact)), at: Int64(index)) }
            return actions.contains(.send(.cancel("first")))
        }
        func head(_ connection: Int, _ request: Int) -> ServerFact {
            .requestHead(connection: connection, exchange: 1, request: request, method: "GET", target: "/", headers: [])
        }
        let facts: [ServerFact] = [
            head(1, 1), head(2, 2), .interim(request: 2, status: 104, headers: []),
            .responseHead(request: 2, status: 200, headers: []),
            .fault(connection: 1, request: 1, point: "p", effect: "e"), .closed(connection: 1, by: .client),
            .interim(request: 2, status: 104, headers: []),
        ]
        for moment in [
            ServerMoment(.interim), ServerMoment(.interim, request: 2), ServerMoment(.interim, connection: 2, count: 2),
            ServerMoment(.interim, request: 2, connection: 2), ServerMoment(.fault, request: 1),
            ServerMoment(.fault, connection: 1),
            ServerMoment(.closed), ServerMoment(.closed, connection: 1), ServerMoment(.responseHead, connection: 2),
        ] { #expect(continues(moment, after: facts), "\(moment)") }
        for moment in [
            ServerMoment(.interim, request: 1), ServerMoment(.interim, count: 3), ServerMoment(.closed, connection: 2),
            ServerMoment(.responseHead, connection: 1), ServerMoment(.surplus),
            ServerMoment(.responseEnded, request: 2),
        ] { #expect(!continues(moment, after: facts), "\(moment)") }
    }

    @Test func `a release and a recall reach the adapter`() {
        var machine = Self.machine(
            Self.scenario {
                $0.script = [
                    Self.task("first"), .command(.release("first")), .command(.readRetained("first")),
                    .command(.progress("first", .cancel)),
                    .command(.stream("first", .secure)),
                ]
            })
        let actions = Self.actions(machine.begin(at: 0))
        #expect(
            actions.suffix(4) == [
                .send(.release("first")), .send(.readRetained("first")), .send(.progress("first", .cancel)),
                .send(.stream("first", .secure)),
            ])
    }

    @Test func `property requests and configuration changes reach the adapter`() {
        var changed = SessionConfiguration()
        changed.requestTimeout = .seconds(2)
        var machine = Self.machine(
            Self.scenario {
                $0.script = [
                    Self.task("first"), .command(.readProperty("first", .classes)),
                    .command(.readSessionProperty(.main, .settings)),
                    .command(.configure(.main, through: .readBack, changed)),
                ]
            })
        #expect(
            Self.actions(machine.begin(at: 0)).suffix(3) == [
                .send(.readProperty("first", .classes)), .send(.readSessionProperty(.main, .settings)),
                .send(.configure(.main, through: .readBack, changed)),
            ])
    }

    @Test func `the script continues when the delegate is released`() {
        var machine = Self.machine(
            Self.scenario {
                $0.script = [
                    Self.task("first"), .await(Trigger(.sessionEvent(.main, .delegateReleased, count: 1))),
                    .command(.inspect("first")),
                ]
            })
        #expect(!Self.actions(machine.begin(at: 0)).contains(.send(.inspect("first"))))
        let event = SessionEvent(sequence: 1, time: 1, kind: .delegateReleased(.main))
        #expect(machine.handle(.session(event), at: 1).contains(.send(.inspect("first"))))
    }

    @Test func `a delayed change waits on the clock while the origin continues at once`() {
        let trigger = Trigger(.responseSent(bytes: 10, request: 1), delay: .seconds(1))
        let change = NetworkChange.interfaceState(.wifi, .up)
        var machine = Self.machine(Self.scenario { $0.timeline = [TimelineEntry(trigger: trigger, changes: [change])] })
        _ = machine.begin(at: 0)
        #expect(
            Self.actions(machine.handle(.lab(.server(.responseBody(request: 1, bytes: 10))), at: 5))
                == [.release(.response(request: 1, bytes: 10))])
        #expect(machine.nextDeadline == Self.second + 5)
        #expect(Self.actions(machine.handle(.tick, at: Self.second + 5)) == [.apply([change])])
        #expect(machine.unreached.isEmpty)
    }

    @Test func `a timeline entry that was not reached is listed`() {
        let entry = TimelineEntry(trigger: Trigger(.packet(.wifi, .uplink, count: 1000)), changes: [])
        var machine = Self.machine(Self.scenario { $0.timeline = [entry] })
        _ = machine.begin(at: 0)
        #expect(machine.unreached == [entry])
    }

    @Test func `more requests than the budget end the run as a flood`() {
        var machine = Self.machine(Self.scenario { $0.requestBudget = 2 })
        _ = machine.begin(at: 0)
        func request(_ number: Int) -> RunMachine.Input {
            .lab(
                .server(
                    .requestHead(
                        connection: 1, exchange: number, request: number, method: "GET", target: "/", headers: [])))
        }
        #expect(Self.actions(machine.handle(request(1), at: 1)).isEmpty)
        #expect(Self.actions(machine.handle(request(2), at: 2)).isEmpty)
        guard case .kill(.flood, _) = Self.actions(machine.handle(request(3), at: 3)).first else {
            Issue.record("the third request should have been one too many")
            return
        }
    }

    @Test func `too many events end the run as a flood`() {
        var machine = Self.machine(Self.scenario())
        _ = machine.begin(at: 0)
        var killed = 0
        for _ in 0...RunMachine.eventBudget {
            for case .kill(.flood, _) in machine.handle(Self.event("first", .didReceiveData([])), at: 1) { killed += 1 }
        }
        #expect(killed == 1)
    }

    @Test func `an await on an event counts from the start of the run`() {
        var machine = Self.machine(
            Self.scenario {
                $0.script = [
                    Self.task("first"), .await(Trigger(.event("first", .didReceiveData, count: 2))),
                    .command(.cancel("first")),
                ]
            })
        _ = machine.begin(at: 0)
        #expect(Self.actions(machine.handle(Self.event("first", .didReceiveData([1])), at: 1)).isEmpty)
        #expect(
            Self.actions(machine.handle(Self.event("first", .didReceiveData([2])), at: 2)) == [.send(.cancel("first"))])
    }

    @Test func `a client that does not report the end of a session is not waited for`() {
        let scenario = Self.scenario { $0.script = [.command(.invalidate(.main, cancelling: true))] }
        func waits(_ reports: ReportedEvents?) -> Bool {
            var machine = RunMachine(scenario: scenario, start: 0, reports: reports) { _ in nil }
            _ = machine.begin(at: 0)
            return machine.waitingFor != "nothing"
        }
        #expect(waits(nil))
        #expect(waits(["didComplete", "didBecomeInvalid"]))
        #expect(!waits(["didComplete"]))
    }

    @Test func `an invalidated session is waited for`() {
        var machine = Self.machine(Self.scenario { $0.script = [.command(.invalidate(.main, cancelling: true))] })
        _ = machine.begin(at: 0)
        #expect(Self.actions(machine.handle(.tick, at: Self.second)).isEmpty)
        #expect(machine.waitingFor == "didBecomeInvalid of main")
        let invalid = SessionEvent(sequence: 1, time: 0, kind: .didBecomeInvalid(.main, error: nil))
        _ = machine.handle(.session(invalid), at: Self.second)
        #expect(Self.actions(machine.handle(.tick, at: 2 * Self.second)) == [.finish])
    }

    @Test func `a task started during the watch ends the watch`() {
        // The second completion trigger arrives while the first watch runs.
        var machine = Self.machine(
            Self.scenario {
                $0.script = [Self.task("first"), .await(Trigger(.sinceStart(.seconds(2)))), Self.task("second")]
            })
        _ = machine.begin(at: 0)
        _ = machine.handle(Self.event("first", Self.done), at: Self.second)
        #expect(machine.nextDeadline == 2 * Self.second)
        _ = machine.handle(.tick, at: 2 * Self.second)
        #expect(machine.waitingFor == "completion of second")
    }

    // MARK: - Processes of the app

    private static func background(_ steps: [ScriptStep]) -> RunMachine {
        machine(
            scenario {
                $0.sessions[0].configuration.kind = .background
                $0.script = steps
            })
    }

    private static let hello: RunMachine.Input = .session(
        SessionEvent(
            sequence: 1, time: 0,
            kind: .hello(.init(name: "a", version: "1", language: "b"), capabilities: [:])))

    @Test func `the step after a crash waits for the end of the process`() {
        var machine = Self.background([Self.task("first"), .app(.crash), .app(.launch)])
        #expect(Self.actions(machine.begin(at: 0)).last == .app(.crash))
        #expect(Self.actions(machine.handle(.tick, at: 1)).isEmpty)
        #expect(machine.waitingFor.contains("the app's process"))
        #expect(Self.actions(machine.handle(.appEnded, at: 2)) == [.app(.launch)])
    }

    @Test func `a launched process receives the tasks of background sessions before it makes the sessions`() {
        var machine = Self.background([Self.task("first"), .app(.crash), .app(.launch)])
        let made = machine.begin(at: 0).compactMap { if case .send(let command) = $0 { command } else { nil } }
        _ = machine.handle(.appEnded, at: 1)
        guard case .makeSession(let name, let configuration)? = made.first,
            case .makeTask(let task)? = made.dropFirst().first
        else {
            Issue.record("the run begins with a session and a task: \(made)")
            return
        }
        #expect(
            Self.actions(machine.handle(Self.hello, at: 2))
                == [.send(.restoreTask(task)), .send(.makeSession(name, configuration))])
        #expect(machine.waitingFor == "completion of first")
    }

    @Test func `a launched app makes its own sessions and receives its own tasks`() {
        var machine = Self.machine(
            Self.scenario {
                $0.sessions[0].configuration.kind = .background
                $0.sessions[0].app = "notes"
                $0.sessions.append(
                    SessionPlan(name: "photos", configuration: $0.sessions[0].configuration, app: "camera"))
                $0.script = [
                    Self.task("first"), .app(.crash), .launch(app: "camera"), .app(.terminate), .app(.launch),
                ]
            })
        func sessions(_ actions: [RunMachine.Action]) -> [SessionName] {
            actions.compactMap { if case .send(.makeSession(let name, _)) = $0 { name } else { nil } }
        }
        #expect(sessions(machine.begin(at: 0)) == [.main])
        _ = machine.handle(.appEnded, at: 1)
        let ofCamera = machine.handle(Self.hello, at: 2)
        #expect(sessions(ofCamera) == ["photos"])
        #expect(!ofCamera.contains { if case .send(.restoreTask) = $0 { true } else { false } })
        _ = machine.handle(.appEnded, at: 3)
        #expect(sessions(machine.handle(Self.hello, at: 4)) == ["photos"])
    }

    @Test func `tasks of other sessions end with the process`() {
        var machine = Self.machine(
            Self.scenario { $0.script = [Self.task("first"), .app(.terminate), .app(.launch)] })
        _ = machine.begin(at: 0)
        _ = machine.handle(.appEnded, at: 1)
        #expect(
            Self.actions(machine.handle(Self.hello, at: 2))
                == [.send(.makeSession(.main, SessionConfiguration()))])
        #expect(machine.waitingFor == "nothing")
    }

    @Test func `a launch of the app is a moment that a step can await`() {
        var machine = Self.background([Self.task("first"), .await(Trigger(.relaunch(2))), .command(.cancel("first"))])
        _ = machine.begin(at: 0)
        #expect(Self.actions(machine.handle(.lab(.relaunch), at: 1)).isEmpty)
        #expect(Self.actions(machine.handle(.lab(.relaunch), at: 2)) == [.send(.cancel("first"))])
    }
}
