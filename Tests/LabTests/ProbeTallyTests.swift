import Record
import LinkEmulator
import ScenarioLanguage
import Conformance
import Testing

@testable import Lab
@testable import LinkEngines

@Suite struct ProbeTallyTests {
    private func measured(_ packets: Int) -> LinkObservation {
        .fact(.conditionMeasured(.cellular, .uplink, .init(means: .probe, packets: packets, lost: 0, text: "")))
    }

    @Test func `the lab's own packets are subtracted from a counter, in their direction only`() {
        let tally = ProbeTally()
        let observe = tally.counting { _ in }
        observe(measured(30))
        #expect(tally.leaving(of: 33, .cellular, .uplink) == 3)
        #expect(tally.leaving(of: 33, .cellular, .downlink) == 33)
        #expect(tally.leaving(of: 33, .wifi, .uplink) == 33)
        tally.forget()
        #expect(tally.leaving(of: 33, .cellular, .uplink) == 33)
    }

    @Test func `probes that the interface never counted give zero, not a wrapped number`() {
        let tally = ProbeTally()
        tally.counting { _ in }(measured(60))
        #expect(tally.leaving(of: 1, .cellular, .uplink) == 0)
    }
}
