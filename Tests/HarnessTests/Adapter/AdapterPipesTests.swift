import NetworkMonitor
import AdapterProtocol
import ScenarioLanguage
import Testing

@testable import Harness
@testable import Lab
import LinkEngines

/// An adapter that has closed its pipes but still runs does not keep the poller busy.
@Suite(.enabled(if: Doctor.examine().canRun, "this machine cannot build a lab: see crosswind doctor"))
struct AdapterPipesTests {
    @Test(arguments: ["exec 1>&- 2>&-; sleep 2", "exec 0<&-; sleep 2", "exec 0<&- 1>&- 2>&-; sleep 2"])
    func `a closed pipe is reported once`(_ script: String) throws {
        let lab = try Lab(NetworkPlan(), engine: .auto, seed: 7, capture: nil, breakpoints: []) { _ in }
        defer { lab.stop() }
        let environment = ClientEnvironment(
            nameServers: [], authorityPEM: "", authorityHash: "none", files: [:])
        let adapter = try AdapterProcess.start(
            AdapterChoice(name: "quiet", command: ["sh", "-c", script]), in: lab, world: environment)
        defer { adapter.kill() }
        var poller = try Poller.make()
        try adapter.register(in: poller)
        _ = adapter.send(.end)
        try adapter.pump(poller)
        var turns = 0
        let deadline = MonotonicClock.deadline(after: 1_000_000_000)
        while MonotonicClock.now() < deadline, turns < 100 {
            var ready: [Poller.Event] = []
            try poller.wait(until: deadline) { ready.append($0) }
            for event in ready {
                switch event.token {
                case AdapterProcess.Tokens.input: try adapter.useInput(event.readiness, poller)
                case AdapterProcess.Tokens.output: _ = try adapter.readOutput()
                default: _ = try adapter.readErrors()
                }
            }
            try adapter.forgetEnded(poller)
            try adapter.pump(poller)
            turns += 1
        }
        #expect(turns < 10)
    }
}
