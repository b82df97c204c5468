@testable import Record
import Testing

@testable import ScenarioLanguage

/// Tests of a flapping interface: it is one change in the file, and three numbers give its steps and its final state.
@Suite struct FlapReaderTests {
    private func read(_ text: String) -> Result<[TimelineEntry], ScenarioErrors> {
        var plan = NetworkPlan()
        plan.interfaces = [InterfacePlan(kind: .wifi, link: .perfect)]
        return TimelineReader.read(
            file: "t.yaml", text: "timeline:\n  - when: { sinceStart: 1s }\n    set: { wifi: \(text) }\n", in: plan)
    }

    @Test func `times and durations are read`() throws {
        let entries = try read("{ flapping: { times: 2, downFor: 200ms, upFor: 300ms } }").get()
        let flaps = Flapping(times: 2, downFor: .milliseconds(200), upFor: .milliseconds(300))
        #expect(entries.first?.changes == [.flaps(.wifi, flaps)])
        #expect(flaps.steps.map(\.state) == [.down, .up, .down, .up])
        #expect(flaps.steps.map(\.after) == [.zero, .milliseconds(200), .milliseconds(500), .milliseconds(700)])
    }

    @Test func `a state beside flapping is refused as a contradiction`() {
        #expect(throws: ScenarioErrors.self) {
            try read("{ state: down, flapping: { times: 2, downFor: 1s, upFor: 1s } }").get()
        }
    }

    @Test func `cellular is expensive unless the file states otherwise`() {
        #expect(InterfacePlan(kind: .cellular, link: .perfect).cost.description == "expensive")
        #expect(InterfacePlan(kind: .wifi, link: .perfect).cost.description == "")
        #expect(InterfacePlan(kind: .cellular, link: .perfect, cost: InterfaceCost()).cost.description == "")
    }
}
