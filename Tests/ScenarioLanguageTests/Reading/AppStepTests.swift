@testable import Conformance
import AdapterProtocol
import Record
import Testing

@testable import ScenarioLanguage

/// Tests of the steps that end and launch the app, of the power supply and of the clock of background transfers.
struct AppStepTests {
    private func read(_ steps: [String], root: String = "") -> Result<Scenario, ScenarioErrors> {
        ScenarioReader.read(
            file: "x",
            text: Sample.good(replacing: "origin:", with: root + "origin:").replacing(
                "    as: first\n", with: "    as: first\n" + steps.map { "  - \($0)\n" }.joined()))
    }

    private func diagnostic(_ steps: [String]) -> String {
        switch read(steps) {
        case .success: "none"
        case .failure(let errors): errors.errors.map { "\($0)" }.joined(separator: "\n")
        }
    }

    @Test func `the steps of a process and of daemons are read in order`() throws {
        let scenario = try read(["app: crash", "daemon: terminate", "await: { relaunch: 2 }", "app: launch"]).get()
        #expect(
            scenario.script.dropFirst() == [
                .app(.crash), .daemon(.terminate), .await(Trigger(.relaunch(2))), .app(.launch),
            ])
        #expect(scenario.hasSeveralProcesses)
        #expect(try !read([]).get().hasSeveralProcesses)
    }

    @Test(arguments: [
        (["app: crash"], "the app does not run at the end"), (["app: suspend"], "add `app: continue`"),
        (["app: launch"], "the app runs already"), (["app: continue"], "the app is not suspended"),
        (["app: crash", "app: crash", "app: launch"], "the app does not run; `launch` it before"),
        (["app: suspend", "app: background", "app: continue"], "`launch` or `continue` it before"),
        (["app: stop"], "`app`"),
    ])
    func `a step that the app's state does not allow is refused`(steps: [String], message: String) {
        #expect(diagnostic(steps).contains(message), "\(diagnostic(steps))")
    }

    private static let twoApps = """
        sessions:
          main: { kind: background, identifier: notes, app: notes }
          photos: { kind: background, identifier: photos, app: camera }

        """

    @Test func `a launch can name the app of a session`() throws {
        let scenario = try read(
            ["app: crash", "{ app: launch, name: camera }", "{ download: /hello, session: photos }"],
            root: Self.twoApps
        ).get()
        #expect(scenario.sessions.map(\.app) == ["notes", "camera"])
        #expect(scenario.script.dropFirst().prefix(2) == [.app(.crash), .launch(app: "camera")])
        #expect(scenario.hasSeveralProcesses)
    }

    @Test func `an app beside sessions without one is refused`() {
        let text = "\(read([], root: Self.twoApps.replacing(", app: notes", with: "")))"
        #expect(text.contains("the session `main` does not name its app, and others do"), "\(text)")
    }

    @Test(arguments: [
        (
            ["app: crash", "{ app: launch, name: camrea }"],
            "no session belongs to the app `camrea`; did you mean `camera`?"
        ),
        (["{ app: crash, name: camera }", "app: launch"], "one app runs at a time"),
        (
            ["{ download: /hello, session: photos }"],
            "the session `photos` belongs to the app `camera`, which does not run"
        ),
        (
            ["app: crash", "{ app: launch, name: camera }", "cancel: first"],
            "the task `first` belongs to the app `notes`"
        ),
        (["invalidate: photos"], "the session `photos` belongs to the app `camera`"),
        (["listTasks: photos"], "the session `photos` belongs to the app `camera`"),
    ])
    func `a step of an app that does not run is refused`(steps: [String], message: String) {
        switch read(steps, root: Self.twoApps) {
        case .success: Issue.record("it was read")
        case .failure(let errors):
            let text = errors.errors.map { "\($0)" }.joined(separator: "\n")
            #expect(text.contains(message), "\(text)")
        }
    }

    @Test func `a disk that becomes full is known before the run`() throws {
        let scenario = try read(["set: { disk: full }", "set: { disk: free }"]).get()
        #expect(scenario.script.dropFirst() == [.change([.disk(.full)]), .change([.disk(.free)])])
        #expect(scenario.fillsDisk)
        #expect(try !read(["set: { disk: free }"]).get().fillsDisk)
    }

    @Test func `the application state needs its capability, and a launch does not`() throws {
        #expect(try read(["app: background"]).get().needs.contains(.applicationState))
        #expect(try !read(["app: crash", "app: launch"]).get().needs.contains(.applicationState))
    }

    @Test func `power and battery are read at the start and in a change`() throws {
        let scenario = try read(["set: { power: external }", "set: { battery: 5% }"], root: "power: battery\n").get()
        #expect(scenario.initialPower == PowerState(isExternal: false, battery: 100))
        #expect(
            scenario.script.dropFirst() == [
                .change([.power(PowerChange(isExternal: true))]), .change([.power(PowerChange(battery: 5))]),
            ])
        #expect(try read([]).get().initialPower == nil)
        #expect(try read(["set: { battery: 5% }"]).get().initialPower == PowerState())
    }

    @Test func `a clock has a scale and an offset`() throws {
        let scenario = try read([], root: "clock: { scale: 1000, behind: 1h }\n").get()
        #expect(scenario.clock == ClockPlan(scale: 1000, offset: .seconds(-3600)))
    }

    @Test func `the clock is set in a change`() throws {
        let steps = ["behind: 2h", "ahead: 1min", "ahead: 0s"].map { "set: { clock: { \($0) } }" }
        let scenario = try read(steps, root: "clock: { scale: 1000 }\n").get()
        #expect(
            scenario.script.dropFirst() == [
                .change([.program(.clock(offset: .seconds(-7200)))]), .change([.program(.clock(offset: .seconds(60)))]),
                .change([.program(.clock(offset: .zero))]),
            ])
        #expect(scenario.initialClock == ClockPlan(scale: 1000))
        #expect(
            scenario.script.dropFirst().map(\.summary) == [
                "set wall clock 7200.0 seconds behind", "set wall clock 60.0 seconds ahead", "set wall clock right",
            ])
    }

    /// Without one the program finds neither the variable nor the file that changes.
    @Test func `a scenario that sets the clock has one from the start`() throws {
        #expect(try read(["set: { clock: { ahead: 1h } }"]).get().initialClock == ClockPlan())
        #expect(try read([]).get().initialClock == nil)
    }

    @Test(arguments: [("{}", "`clock` is empty; write `behind` or `ahead`"), ("{ scale: 2 }", "scale")])
    func `a change of the clock without a time is refused`(clock: String, message: String) {
        let found = diagnostic(["set: { clock: \(clock) }"])
        #expect(found.contains(message), "\(found)")
    }
}
