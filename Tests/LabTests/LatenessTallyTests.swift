import LinkEmulator
import Testing

@testable import Lab
@testable import LinkEngines

/// The bounds decide between a run that proves nothing and a valid one, so each is tested from both sides: 4 and 5
/// packets over a bound, one in twenty and one more, and the bounds themselves at a short and at a long delay.
@Suite struct LatenessTallyTests {
    private func tally(delay: Int64 = 0, _ releases: (count: Int, lateness: Int64)...) -> LatenessTally {
        var tally = LatenessTally(LinkParameters(Condition([.delay(.milliseconds(delay), jitter: nil)])))
        for (count, lateness) in releases { for _ in 0..<count { tally.record(lateness) } }
        return tally
    }

    @Test func `releases within a millisecond are on time`() {
        let tally = tally((100, 1_000_000))
        #expect(tally.description == nil && !tally.isBroken)
    }

    @Test func `one late packet in a hundred is not noted, two are`() {
        #expect(tally((99, 0), (1, 3_000_000)).description == nil)
        #expect(tally((98, 0), (2, 3_500_000)).description == "2 of 100 left over 1 ms late, the worst by 3.5 ms")
    }

    @Test func `one packet in twenty beyond 250 ms is a pause, more mean that the machine is too slow`() {
        #expect(!tally((95, 0), (5, 250_000_001)).isBroken)
        let broken = tally((94, 0), (6, 250_000_001))
        #expect(broken.isBroken)
        #expect(broken.description?.hasPrefix("the machine was too slow for this condition: 6 of 100") == true)
        #expect(!tally((94, 0), (6, 250_000_000)).isBroken)
    }

    @Test func `a few packets in one pause do not invalidate a short run`() {
        #expect(!tally((4, 500_000_000)).isBroken)
        #expect(tally((5, 500_000_000)).isBroken)
    }

    @Test func `packets that waited to be read are late even if they left as planned afterwards`() {
        var tally = tally((100, 0))
        for _ in 0..<6 { tally.recordWait(250_000_001) }
        #expect(tally.isBroken)
        #expect(tally.description?.contains("6 of 100 left over 1 ms late") == true)
    }

    @Test func `a long delay allows lateness of a quarter of itself`() {
        #expect(!tally(delay: 2000, (100, 500_000_000)).isBroken)
        #expect(tally(delay: 2000, (100, 500_000_001)).isBroken)
        #expect(tally(delay: 20, (100, 250_000_001)).isBroken)
    }
}
