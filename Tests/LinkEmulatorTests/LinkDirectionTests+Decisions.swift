import LinkEmulator
import Testing

/// The draws behind the fates of packets: repeatable, and independent of each other.
extension LinkDirectionTests {
    // Reproducibility

    private static let everything = LinkParameters(
        rate: .constant(bitsPerSecond: 20_000_000), queueBytes: 40_000, delayNanoseconds: 10_000_000,
        jitter: LinkEffect.Jitter(amountNanoseconds: 2_000_000, allowsReordering: true),
        loss: .gilbertElliott(p: 0.05, r: 0.3, lossInBad: 0.8, lossInGood: 0.01), duplicate: 0.05, reorder: 0.05,
        corrupt: 0.05)

    @Test func `the same seed gives the same fates, another seed different ones`() {
        func run(seed: UInt64) -> [PacketFate] {
            var link = link(Self.everything, seed: seed)
            let sent = packet(900)
            return (0..<3000).map { link.offer(sent.span, at: LinkTime(nanoseconds: Int64($0) * 300_000)) }
        }
        #expect(run(seed: 5) == run(seed: 5))
        #expect(run(seed: 5) != run(seed: 6))
    }

    // The draw for packet n must not depend on the fates of earlier packets: here every hundredth is too long and needs
    // no draw.
    @Test func `a different fate of one packet does not shift later decisions`() {
        func run(oversized: Bool) -> [PacketFate] {
            var parameters = Self.everything
            parameters.rate = nil
            parameters.mtu = 1000
            var link = link(parameters)
            return (0..<3000).map { number in
                let sent = packet(oversized && number % 100 == 50 ? 1200 : 900)
                return link.offer(sent.span, at: ms(Int64(number)))
            }
        }
        let plain = run(oversized: false)
        let other = run(oversized: true)
        #expect(plain.filter { $0.index % 100 != 51 } == other.filter { $0.index % 100 != 51 })
        #expect(other.count { $0.outcome == .dropped(.tooBig) } == 30)
    }

    @Test func `probes never shift the decisions about traffic`() {
        func run(probing: Bool) -> [PacketFate] {
            var parameters = Self.everything
            parameters.rate = nil
            var link = link(parameters)
            let sent = packet(900)
            let probe = packet(60)
            return (0..<3000).map { number in
                if probing, number % 3 == 0 { link.offerProbe(probe.span, at: ms(Int64(number))) }
                return link.offer(sent.span, at: ms(Int64(number)))
            }
        }
        #expect(run(probing: true) == run(probing: false))
    }

    // If probes used the traffic's draws, probe n would be lost exactly when packet n is; independent draws agree half
    // of the time.
    @Test func `probes have their own draws`() {
        var link = link(LinkParameters(loss: .independent(0.5)))
        let sent = packet()
        let agreements = (0..<2000).count { _ in
            link.offer(sent.span, at: ms(0)).isDropped == link.offerProbe(sent.span, at: ms(0)).isDropped
        }
        #expect(Bounds.binomial(0.5, 2000).contains(Double(agreements)))
    }

    @Test func `probes share the queue with the traffic and are counted separately`() {
        var link = link(LinkParameters(rate: .constant(bitsPerSecond: 8_000_000), queuePackets: 2, loss: .packets([1])))
        let sent = packet(1000)
        // The list of lost packets refers to traffic, so probe 1 passes and packet 1 does not.
        #expect(link.offerProbe(sent.span, at: ms(0)).outcome == .delivered(releaseAt: ms(1)))
        #expect(link.offer(sent.span, at: ms(0)).outcome == .dropped(.loss))
        #expect(link.offer(sent.span, at: ms(0)).outcome == .delivered(releaseAt: ms(2)))
        #expect(link.offerProbe(sent.span, at: ms(0)).outcome == .dropped(.queueFull))
        #expect(drain(&link).map(\.isProbe) == [true, false])
        #expect(link.counters.offered == 2 && link.counters.delivered == 1 && link.counters.dropped == 1)
        #expect(link.finishMeasurement(at: ms(5)).packets == 4)
    }
}
