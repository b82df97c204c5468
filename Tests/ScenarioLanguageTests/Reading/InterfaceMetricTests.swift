@testable import Conformance
@testable import Record
import Testing

@testable import ScenarioLanguage

/// Tests of the metric, which orders the default routes; by default the kinds are ranked as network managers rank them.
@Suite struct InterfaceMetricTests {
    private func read(_ network: String) -> Result<Scenario, ScenarioErrors> {
        ScenarioReader.read(
            file: "t.yaml",
            text:
                "scenario: S\nproves: [DATA-01]\nnetwork: \(network)\norigin: { /a: { text: a } }\nsteps: [{ data: /a }]\nexpect: [{ requests: { count: 1 } }]\n"
        )
    }

    @Test func `cellular may be preferred to Wi-Fi`() throws {
        let interfaces = try read("{ wifi: perfect, cellular: { metric: 500 } }").get().network.interfaces
        #expect(interfaces.map(\.metric) == [600, 500])
    }

    @Test func `a metric has a range and is allowed only at the start`() {
        #expect(throws: ScenarioErrors.self) { try read("{ wifi: { metric: 0 } }").get() }
        #expect(throws: ScenarioErrors.self) { try read("{ wifi: { metric: low } }").get() }
        var plan = NetworkPlan()
        plan.interfaces = [InterfacePlan(kind: .wifi, link: .perfect)]
        let change = TimelineReader.read(
            file: "t.yaml", text: "timeline:\n  - when: { sinceStart: 1s }\n    set: { wifi: { metric: 5 } }\n",
            in: plan)
        #expect(throws: ScenarioErrors.self) { try change.get() }
    }
}
