import LabKernel
import NetworkMonitor
import Testing

extension KernelTests {
    struct LinkProbeTests {
        @Test func `a link that is down loses everything, and the probe ends in time`() throws {
            let cable = try Cable()
            let probe = try cable.probe()
            try cable.farNetlink.setDown(cable.farIndex)
            let begun = MonotonicClock.now()
            let got = try probe.measure(
                .init(packets: 10, patience: milliseconds(50)),
                until: MonotonicClock.deadline(after: milliseconds(2_000)))
            #expect(got.arrivals.isEmpty)
            #expect(got.lost + got.refused == 10)
            #expect(MonotonicClock.now() - begun < milliseconds(1_000))
        }

        @Test func `packets leave at their interval`() throws {
            let cable = try Cable()
            let got = try cable.probe().measure(
                .init(packets: 11, interval: milliseconds(2)),
                until: MonotonicClock.deadline(after: milliseconds(2_000)))
            #expect(got.lost == 0)
            let first = try #require(got.arrivals.first)
            let last = try #require(got.arrivals.last)
            #expect(abs(last.stamp - first.stamp - milliseconds(20)) < milliseconds(5))
        }

        @Test func `a deadline ends a measurement in progress`() throws {
            let cable = try Cable()
            let got = try cable.probe().measure(
                .init(packets: 1_000, interval: milliseconds(10)),
                until: MonotonicClock.deadline(after: milliseconds(55)))
            #expect((1...10).contains(got.sent))
        }

        @Test func `overtaken and duplicated packets are counted`() {
            let arrivals = [0, 2, 1, 2, 3].map { LinkProbe.Arrival(packet: $0, delay: 1, stamp: Int64($0) * 1_000) }
            let got = LinkProbe.Measurement(
                train: .init(packets: 5, payloadBytes: 72), sent: 5, refused: 0, arrivals: arrivals, headerBytes: 28)
            #expect(got.lost == 1)
            #expect(got.duplicates == 1)
            #expect(got.overtaken == 1)
            #expect(got.receivedBytesPerSecond() == 4 * 100 * 1e9 / 3_000)
            #expect(got.receivedBytesPerSecond(skipping: 2) == 2 * 100 * 1e9 / 2_000)
        }
    }
}
