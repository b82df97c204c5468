import Record
import LinkEmulator
import ScenarioLanguage
import Testing

@testable import Lab
@testable import LinkEngines

/// The figures of a window are the differences of two totals.
@Suite struct LinkSamplerTests {
    private let plan = InteractiveLabPlan.network([(kind: .wifi, profile: .perfect)])

    private func traffic(_ packets: UInt64, _ bytes: UInt64, lost: UInt64, _ delays: [Int64]) -> [LinkTraffic] {
        var histogram = LogLinearHistogram()
        for delay in delays { histogram.record(delay) }
        return LinkDirectionName.allCases.map {
            LinkTraffic(
                interface: .wifi, direction: $0, packets: packets, bytes: bytes, lost: lost, delays: histogram,
                queuedPackets: 1,
                queuedBytes: 1500)
        }
    }

    @Test func `rate, loss and delay are those of the window alone`() throws {
        var sampler = LinkSampler()
        let first = sampler.sample(traffic(100, 150_000, lost: 50, [1_000_000]), at: 0, of: plan)
        #expect(first?.window == nil)
        let next = sampler.sample(
            traffic(190, 275_000, lost: 60, [1_000_000, 9_000_000, 9_000_000, 9_000_000]), at: 500_000_000, of: plan)
        let second = try #require(next)
        let down = second.links[0].downlink
        #expect(second.window == 500_000_000)
        #expect(down.bitsPerSecond == 2_000_000)
        #expect(down.lossShare == 0.1)
        #expect(down.packets == 190 && down.lost == 60)
        // The early millisecond would be included if the window were not separate; a bucket is 0.8 % wide.
        let delay = try #require(down.delay)
        #expect(abs(delay - 9_000_000) < 90_000)
    }

    @Test func `a window without packets lacks delay and share`() throws {
        var sampler = LinkSampler()
        _ = sampler.sample(traffic(1, 100, lost: 0, [1000]), at: 0, of: plan)
        let next = sampler.sample(traffic(1, 100, lost: 0, [1000]), at: 1000, of: plan)
        let quiet = try #require(next).links[0].uplink
        #expect(quiet.delay == nil && quiet.lossShare == nil && quiet.bitsPerSecond == 0)
    }

    /// The engine starts a new histogram with each condition.
    @Test func `a restarted histogram counts from its start`() throws {
        var sampler = LinkSampler()
        _ = sampler.sample(traffic(10, 100, lost: 0, [1000, 1000, 1000]), at: 0, of: plan)
        let next = sampler.sample(traffic(11, 200, lost: 0, [5_000_000]), at: 1000, of: plan)
        #expect(try #require(next).links[0].downlink.delay == 5_000_000)
    }
}
