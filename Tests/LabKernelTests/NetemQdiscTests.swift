import Testing
@testable import LabKernel
@testable import NetworkMonitor

struct NetemOptionsTests {
    private func options(_ netem: NetemQdisc) -> [Int: [UInt8]] {
        var request = NetlinkRequest(36, header: [])
        netem.putOptions(into: &request)
        let outer = NetlinkReply.attributes(in: request.body)[2] ?? []
        return NetlinkReply.attributes(in: outer.dropFirst(24)).merging([0: Array(outer.prefix(24))]) { first, _ in
            first
        }
    }

    /// The kernel keeps values that are not sent, so an empty netem must still contain every effect.
    @Test func `every attribute is sent, so that every effect can be switched off`() {
        let sent = options(NetemQdisc())
        // CORR, DELAY_DIST, REORDER, CORRUPT, RATE, ECN, LATENCY64, JITTER64, SLOT; without LOSS the model is the plain one.
        #expect(Set(sent.keys) == [0, 1, 2, 3, 4, 6, 7, 10, 11, 12])
        #expect(sent[0] == [0, 0, 0, 0, 0xE8, 3, 0, 0] + [UInt8](repeating: 0, count: 16))
        for number in [1, 3, 4, 6, 7, 10, 11, 12] { #expect(sent[number]?.allSatisfy { $0 == 0 } == true) }
        #expect(sent[2]?.count == 8192)
    }

    @Test func `each effect is at the kernel's offset`() {
        var netem = NetemQdisc()
        netem.limit = 7
        netem.delay = 20_000_000
        netem.jitter = 5_000_000
        netem.duplicate = 1
        netem.reorder = 0.5
        netem.reorderGap = 5
        netem.bytesPerSecond = 5_000_000_000
        netem.loss = .gilbertElliott(toBad: 0.25, toGood: 0.5, lossInBad: 1, lossInGood: 0)
        netem.seed = 42
        netem.marksECN = true
        let sent = options(netem)
        // latency 0, limit 7, loss 0, gap 5, duplicate 2^32-1, jitter 0
        let parameters: [UInt32] = [0, 7, 0, 5, .max, 0]
        #expect(sent[0] == parameters.flatMap(\.hostBytes))
        #expect(sent[3] == UInt32(0x8000_0000).hostBytes + [0, 0, 0, 0])
        #expect(sent[10] == Int64(20_000_000).hostBytes)
        #expect(sent[11] == Int64(5_000_000).hostBytes)
        #expect(sent[6]?.prefix(4) == [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(sent[8] == UInt64(5_000_000_000).hostBytes)
        #expect(sent[7] == [1, 0, 0, 0])
        #expect(sent[14] == UInt64(42).hostBytes)
        let model = NetlinkReply.attributes(in: sent[5] ?? [])
        // p, r, the share delivered in the bad state, loss in the good state
        #expect(model[2] == [UInt32(0x4000_0000), 0x8000_0000, 0, 0].flatMap(\.hostBytes))
    }

    /// The kernel adds p14 and p13, and p32 and p31, in 32 bits: probabilities of a half and a half must not wrap to
    /// zero.
    @Test func `four states are in the kernel's order, and their sums never wrap`() {
        var netem = NetemQdisc()
        netem.loss = .fourState(p13: 0.5, p31: 0.25, p32: 0.125, p23: 1, p14: 0.5)
        let model = NetlinkReply.attributes(in: options(netem)[5] ?? [])
        let words: [UInt32] = [0x7FFF_FFFF, 0x4000_0000, 0x2000_0000, 0x8000_0000, .max]
        #expect(model[1] == words.flatMap(\.hostBytes))
    }
}

extension KernelTests {
    struct NetemQdiscTests {
        @Test(.enabled(if: !Machine.hasNetem, "this kernel has netem"))
        func `the error on a kernel without netem states how to install it`() throws {
            let cable = try Cable()
            let error = #expect(throws: NetlinkError.self) {
                try cable.nearNetlink.applyEgress(cable.nearIndex, .netem(NetemQdisc(), bottleneck: nil))
            }
            #expect(error == .missingQdisc("netem"))
            #expect(error?.description.contains("modprobe sch_netem") == true)
        }

        private func measure(_ cable: borrowing Cable, _ netem: NetemQdisc, packets: Int = 20) throws
            -> LinkProbe.Measurement
        {
            try cable.nearNetlink.applyEgress(cable.nearIndex, .netem(netem, bottleneck: nil))
            return try cable.probe().measure(
                .init(packets: packets, interval: 1_000_000), until: MonotonicClock.deadline(after: milliseconds(5_000))
            )
        }

        @Test(.enabled(if: Machine.hasNetem, "needs the qdisc netem: modprobe sch_netem"))
        func `a delay applies until the next replacement`() throws {
            let cable = try Cable()
            // The neighbour is resolved before the delay, which would count twice for the first packet.
            _ = try measure(cable, NetemQdisc(), packets: 1)
            var netem = NetemQdisc()
            netem.delay = milliseconds(20)
            netem.corrupt = 0.5
            #expect(try #require(try measure(cable, netem).delays.first) >= milliseconds(20))
            let after = try measure(cable, NetemQdisc())
            #expect(try #require(after.medianDelay) < milliseconds(10))
            #expect(after.lost == 0)
        }

        @Test(.enabled(if: Machine.hasNetem, "needs the qdisc netem: modprobe sch_netem"))
        func `a distribution is removed with its condition`() throws {
            let cable = try Cable()
            _ = try measure(cable, NetemQdisc(), packets: 1)
            var netem = NetemQdisc()
            netem.delay = milliseconds(40)
            netem.jitter = milliseconds(10)
            netem.distribution = .pareto
            // The shortest delays differ, whatever the scheduler adds: Pareto's table begins 0.81 jitters below the delay, at
            // 31.9 ms, and the uniform one a whole jitter below.
            let boundary = milliseconds(31) + 500_000
            let pareto = try measure(cable, netem, packets: 200).delays
            #expect(try #require(pareto.first) > boundary)
            #expect(try #require(pareto.last) > milliseconds(52))
            netem.distribution = .uniform
            let uniform = try measure(cable, netem, packets: 200).delays
            #expect((milliseconds(29)..<boundary).contains(try #require(uniform.first)))
        }

        @Test(.enabled(if: Machine.hasNetem, "needs the qdisc netem: modprobe sch_netem"))
        func `each effect is the requested one`() throws {
            let cable = try Cable()
            _ = try measure(cable, NetemQdisc(), packets: 1)
            var netem = NetemQdisc()
            netem.loss = .independent(1)
            #expect(try measure(cable, netem).distinctArrivals == 0)
            netem.loss = .gilbertElliott(toBad: 1, toGood: 0, lossInBad: 1, lossInGood: 0)
            #expect(try measure(cable, netem).distinctArrivals <= 1)
            netem.loss = .gilbertElliott(toBad: 0, toGood: 1, lossInBad: 1, lossInGood: 0)
            #expect(try measure(cable, netem).lost == 0)
            netem.loss = .none
            netem.duplicate = 1
            // The probe stops at the last packet, whose copy may still be in transit.
            #expect(try measure(cable, netem).duplicates >= 19)
            netem.duplicate = 0
            netem.delay = milliseconds(20)
            netem.reorder = 1
            netem.reorderGap = 4
            #expect(try measure(cable, netem, packets: 40).overtaken >= 10)
            #expect(try measure(cable, NetemQdisc()).overtaken == 0)
            netem = NetemQdisc()
            netem.bytesPerSecond = 100_000
            try cable.nearNetlink.applyEgress(cable.nearIndex, .netem(netem, bottleneck: nil))
            let train = try cable.probe().measure(
                .init(packets: 30, payloadBytes: 986), until: MonotonicClock.deadline(after: milliseconds(3_000)))
            #expect(abs(try #require(train.receivedBytesPerSecond()) * 1028 / 1014 / 100_000 - 1) < 0.1)
        }

        // With every probability 0 or 1 the sequence of states is known: 1 → 3 → 2 → 3, every other packet; or never
        // back from 3.
        @Test(.enabled(if: Machine.hasNetem, "needs the qdisc netem: modprobe sch_netem"))
        func `four states lose according to their probabilities`() throws {
            let cable = try Cable()
            _ = try measure(cable, NetemQdisc(), packets: 1)
            var netem = NetemQdisc()
            netem.loss = .fourState(p13: 1, p31: 0, p32: 1, p23: 1, p14: 0)
            // The kernel's own packets (neighbour discovery) count as packets too.
            #expect((7...13).contains(try measure(cable, netem).lost))
            netem.loss = .fourState(p13: 1, p31: 0, p32: 0, p23: 1, p14: 0)
            #expect(try measure(cable, netem).lost == 20)
            netem.loss = .fourState(p13: 0, p31: 1, p32: 0, p23: 1, p14: 0)
            #expect(try measure(cable, netem).lost == 0)
        }

        @Test(.enabled(if: Machine.hasNetem, "needs the qdisc netem: modprobe sch_netem"))
        func `a table gives the delays of its quantiles, even beyond netem's range`() throws {
            let cable = try Cable()
            _ = try measure(cable, NetemQdisc(), packets: 1)
            var netem = NetemQdisc()
            netem.delay = milliseconds(20)
            netem.distribution = .table([4, 6, 8])
            netem.jitter = Int64(Double(milliseconds(5)) * netem.distribution.stretch)
            let delays = try measure(cable, netem, packets: 200).delays
            // From 20 + 4 · 5 to 20 + 8 · 5 ms, half of them below 50 ms.
            #expect(try #require(delays.first) >= milliseconds(40) && delays[10] < milliseconds(43))
            #expect(abs(delays[100] - milliseconds(50)) < milliseconds(4))
            // A packet in forty may have waited for the machine.
            #expect(delays[189] > milliseconds(57) && delays[194] < milliseconds(64))
        }

        @Test(.enabled(if: Machine.hasNetem, "needs the qdisc netem: modprobe sch_netem"))
        func `a seed is applied or rejected, never ignored`() throws {
            let cable = try Cable()
            var netem = NetemQdisc()
            netem.seed = 42
            do throws(NetlinkError) {
                try cable.nearNetlink.applyEgress(cable.nearIndex, .netem(netem, bottleneck: nil))
                let kinds = try cable.nearNetlink.egressStatistics(cable.nearIndex)
                #expect(kinds.first?.optionNumbers.contains(14) == true)
            } catch {
                #expect(error.description.contains("needs Linux 6.6"))
                #expect(!(try cable.nearNetlink.egressStatistics(cable.nearIndex).contains { $0.kind == "netem" }))
            }
        }

        @Test(.enabled(if: Machine.hasNetem, "needs the qdisc netem: modprobe sch_netem"))
        func `a bottleneck inside netem limits the rate and is removed with the next condition`() throws {
            let cable = try Cable()
            var netem = NetemQdisc()
            netem.delay = milliseconds(5)
            let bucket = TokenBucketQdisc(bytesPerSecond: 1_000_000, burstBytes: 10_280, queueBytes: 1 << 20)
            try cable.nearNetlink.applyEgress(cable.nearIndex, .netem(netem, bottleneck: bucket))
            // After a pause of the machine the bucket lets 10 packets through at once: few of 400, but a tenth of 100.
            let got = try cable.probe().measure(
                .init(packets: 400, payloadBytes: 986), until: MonotonicClock.deadline(after: milliseconds(3_000)))
            #expect(abs(try #require(got.receivedBytesPerSecond(skipping: 12)) * 1028 / 1014 / 1_000_000 - 1) < 0.1)
            #expect(try cable.nearNetlink.egressStatistics(cable.nearIndex).map(\.kind) == ["netem", "tbf"])
            try cable.nearNetlink.applyEgress(cable.nearIndex, .netem(netem, bottleneck: nil))
            #expect(!(try cable.nearNetlink.egressStatistics(cable.nearIndex).map(\.kind).contains("tbf")))
        }

        @Test func `reordering without delay is rejected before any request to the kernel`() throws {
            let cable = try Cable()
            var netem = NetemQdisc()
            netem.reorder = 0.1
            let error = #expect(throws: NetlinkError.self) {
                try cable.nearNetlink.applyEgress(cable.nearIndex, .netem(netem, bottleneck: nil))
            }
            #expect(error?.description.contains("add a delay") == true)
        }
    }
}
