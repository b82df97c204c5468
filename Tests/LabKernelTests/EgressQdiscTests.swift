import LabKernel
import NetworkMonitor
import Testing

extension KernelTests {
    struct EgressQdiscTests {
        @Test(.enabled(if: Machine.hasTokenBucket, "needs the qdisc tbf: modprobe sch_tbf"))
        func `twice the rate brings twice the bytes per second`() throws {
            let cable = try Cable()
            let probe = try cable.probe()
            var measured: [Double] = []
            for rate: UInt64 in [250_000, 500_000] {
                // The burst compensates for a timer that fires late, on a busy machine by milliseconds.
                let bucket = TokenBucketQdisc(
                    bytesPerSecond: rate, burstBytes: 10_280, queueBytes: 1 << 20, uncountedHeader: 14)
                try cable.nearNetlink.applyEgress(cable.nearIndex, .tokenBucket(bucket))
                let got = try probe.measure(
                    .init(packets: 1_000, payloadBytes: 72), until: MonotonicClock.deadline(after: milliseconds(3_000)))
                #expect(got.lost == 0)
                // 100 bytes of layer 3 each: if the Ethernet header were counted, an eighth would be missing.
                let onTheWire = try #require(got.receivedBytesPerSecond(skipping: 110))
                #expect(abs(onTheWire / Double(rate) - 1) < 0.05)
                measured.append(onTheWire)
            }
            #expect(abs(measured[1] / measured[0] - 2) < 0.1)
            let statistics = try #require(try cable.nearNetlink.egressStatistics(cable.nearIndex).first)
            #expect(statistics.kind == "tbf")
            #expect(statistics.sentPackets >= 1_000)
            #expect(statistics.overlimits > 0)
        }

        @Test(.enabled(if: Machine.hasTokenBucket, "needs the qdisc tbf: modprobe sch_tbf"))
        func `a full queue drops packets and counts them`() throws {
            let cable = try Cable()
            let bucket = TokenBucketQdisc(bytesPerSecond: 1_000_000, burstBytes: 2_000, queueBytes: 10_280)
            try cable.nearNetlink.applyEgress(cable.nearIndex, .tokenBucket(bucket))
            let got = try cable.probe().measure(
                .init(packets: 100, payloadBytes: 986, patience: milliseconds(100)),
                until: MonotonicClock.deadline(after: milliseconds(3_000)))
            let statistics = try #require(try cable.nearNetlink.egressStatistics(cable.nearIndex).first)
            let missing = 100 - got.distinctArrivals
            // Ten packets wait and two are the burst; a few more get through while the sender is sending.
            #expect(missing > 50)
            // The kernel's own packets (neighbour discovery, group membership) may have been dropped as well.
            #expect((missing...missing + 5).contains(Int(statistics.dropped)))
            #expect(statistics.backlogBytes == 0)
        }

        @Test(.enabled(if: Machine.hasTokenBucket, "needs the qdisc tbf: modprobe sch_tbf"))
        func `a queue counts packets or bytes, regardless of the previous kind`() throws {
            let cable = try Cable()
            var bucket = TokenBucketQdisc(
                bytesPerSecond: 100_000, burstBytes: 2_000, queueBytes: 10_000, uncountedHeader: 14)
            // Packets of 200 bytes: ten or fifty of them wait; ten are the burst, and a new bucket is full at first.
            // One more gets through in the 2 ms of sending.
            for (packets, waiting) in [(UInt32(10), 10), (nil, 50), (10, 10)] {
                bucket.queuePackets = packets
                try cable.nearNetlink.applyEgress(cable.nearIndex, .none)
                for _ in 0..<2 { try cable.nearNetlink.applyEgress(cable.nearIndex, .tokenBucket(bucket)) }
                let got = try cable.probe().measure(
                    .init(packets: 200, payloadBytes: 172, patience: milliseconds(60)),
                    until: MonotonicClock.deadline(after: milliseconds(3_000)))
                #expect((waiting + 8...waiting + 30).contains(got.distinctArrivals))
                // Without `none` in between, the queue of the other kind must be replaced.
                bucket.queuePackets = packets == nil ? 30 : nil
                try cable.nearNetlink.applyEgress(cable.nearIndex, .tokenBucket(bucket))
                let kinds = try cable.nearNetlink.egressStatistics(cable.nearIndex).map(\.kind)
                #expect(kinds.contains(packets == nil ? "pfifo" : "bfifo"))
                #expect(!kinds.contains(packets == nil ? "bfifo" : "pfifo"))
            }
        }

        @Test(.enabled(if: Machine.hasHeadDrop, "needs the qdiscs tbf and pfifo_head_drop: modprobe sch_tbf"))
        func `a queue that drops its head keeps the newest packets and can be replaced`() throws {
            let cable = try Cable()
            var bucket = TokenBucketQdisc(
                bytesPerSecond: 100_000, burstBytes: 2_000, queueBytes: 10_000, queuePackets: 10, discipline: .headDrop,
                uncountedHeader: 14)
            for _ in 0..<2 { try cable.nearNetlink.applyEgress(cable.nearIndex, .tokenBucket(bucket)) }
            let got = try cable.probe().measure(
                .init(packets: 200, payloadBytes: 172, patience: milliseconds(60)),
                until: MonotonicClock.deadline(after: milliseconds(3_000)))
            // Ten packets are the burst, the last ten waited to the end, and those in between were dropped.
            #expect(got.lost > 150)
            #expect(Set(got.arrivals.map(\.packet)).isSuperset(of: 192..<200))
            bucket.discipline = .dropTail
            bucket.queuePackets = nil
            try cable.nearNetlink.applyEgress(cable.nearIndex, .tokenBucket(bucket))
            #expect(try cable.nearNetlink.egressStatistics(cable.nearIndex).map(\.kind).contains("bfifo"))
        }

        // 400 packets of 200 bytes at 500 packets per second wait up to 0.8 s: with 5 ms and 20 ms CoDel must drop.
        @Test(.enabled(if: Machine.hasCoDel, "needs the qdiscs tbf and codel: modprobe sch_tbf sch_codel"))
        func `CoDel behind a bucket drops waiting packets and is removed with the next condition`() throws {
            let cable = try Cable()
            var bucket = TokenBucketQdisc(
                bytesPerSecond: 100_000, burstBytes: 2_000, queueBytes: 200_000, queuePackets: 1_000,
                discipline: .codel(target: 5_000_000, interval: 20_000_000), uncountedHeader: 14)
            let train = LinkProbe.Train(packets: 400, payloadBytes: 172, patience: milliseconds(300))
            try cable.nearNetlink.applyEgress(cable.nearIndex, .tokenBucket(bucket))
            let codel = try cable.probe().measure(train, until: MonotonicClock.deadline(after: milliseconds(3_000)))
            #expect(codel.lost > 10)
            bucket.discipline = .dropTail
            try cable.nearNetlink.applyEgress(cable.nearIndex, .tokenBucket(bucket))
            let tail = try cable.probe().measure(train, until: MonotonicClock.deadline(after: milliseconds(3_000)))
            #expect(tail.lost == 0)
        }

        @Test(.enabled(if: Machine.hasTokenBucket, "needs the qdisc tbf: modprobe sch_tbf"))
        func `none restores the default and may be applied twice`() throws {
            let cable = try Cable()
            let bucket = TokenBucketQdisc(bytesPerSecond: 1_000_000, burstBytes: 2_000, queueBytes: 10_000)
            try cable.nearNetlink.applyEgress(cable.nearIndex, .none)
            try cable.nearNetlink.applyEgress(cable.nearIndex, .tokenBucket(bucket))
            try cable.nearNetlink.applyEgress(cable.nearIndex, .none)
            try cable.nearNetlink.applyEgress(cable.nearIndex, .none)
            #expect(!(try cable.nearNetlink.egressStatistics(cable.nearIndex).contains { $0.kind == "tbf" }))
        }

        @Test func `a black hole drops everything until it is removed`() throws {
            let cable = try Cable()
            let probe = try cable.probe()
            let train = LinkProbe.Train(packets: 5, patience: milliseconds(30))
            _ = try probe.measure(train, until: MonotonicClock.deadline(after: milliseconds(500)))
            try cable.nearNetlink.applyEgress(cable.nearIndex, .blackhole)
            let inside = try probe.measure(train, until: MonotonicClock.deadline(after: milliseconds(500)))
            #expect(inside.distinctArrivals == 0)
            try cable.nearNetlink.applyEgress(cable.nearIndex, .none)
            #expect(try probe.measure(train, until: MonotonicClock.deadline(after: milliseconds(500))).lost == 0)
        }
    }
}
