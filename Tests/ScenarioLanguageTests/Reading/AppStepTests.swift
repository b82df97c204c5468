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
}
