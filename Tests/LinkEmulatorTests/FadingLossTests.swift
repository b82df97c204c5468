import LinkEmulator
import Testing

// 1,000 s in steps of 1 ms have about 2,000 periods of each state, so that the 99.9 % interval of a mean is ± 7 %.
@Suite struct FadingLossTests {
    private static let (good, bad) = (400, 100)
    private static let total = LinkEffect.Loss.fading(
        goodMilliseconds: good, badMilliseconds: bad, lossInBad: 1, lossInGood: 0)

    /// Returns true for each time, in milliseconds, at which a packet is lost.
    private func losses(
        _ model: LinkEffect.Loss = total, at times: some Sequence<Int>, seed: UInt64 = 21, stream: UInt64 = 4
    ) -> [Bool] {
        var link = LinkDirection(seed: seed, stream: stream, parameters: LinkParameters(loss: model))
        return times.map { Self.isLost(&link, at: $0) }
    }

    private static func isLost(_ link: inout LinkDirection, at milliseconds: Int) -> Bool {
        let packet: [UInt8] = [1]
        let now = LinkTime(nanoseconds: Int64(milliseconds) * 1_000_000)
        let fate = link.offer(packet.span, at: now)
        link.release(upTo: now) { _, _ in }
        return fate.outcome == .dropped(.loss)
    }

    // A two-state process in continuous time, seen every d, is a Markov chain that leaves the bad state with the
    // probability (1 − share)·(1 − exp(−d·(1/good + 1/bad))), and the lengths of its runs are geometric.
    @Test(arguments: [1, 10]) func `both states have their mean duration, at any packet rate`(step: Int) {
        let lost = losses(at: stride(from: 0, to: 1_000_000, by: step))
        let share = Double(Self.bad) / Double(Self.good + Self.bad)
        let rate = 1 / Double(Self.good) + 1 / Double(Self.bad)
        var forgotten = 0.0
        // 1 − exp(−x) by its series: the module's tests do without Foundation too.
        var term = -1.0
        for power in 1...12 {
            term *= -rate * Double(step) / Double(power)
            forgotten += term
        }
        for (state, leaving) in [(true, (1 - share) * forgotten), (false, share * forgotten)] {
            let runs = zip([!state] + lost, lost).count { $0 != state && $1 == state }
            let mean = Double(lost.count { $0 == state }) / Double(runs)
            let spread = Bounds.z * (1 - leaving).squareRoot() / leaving / Double(runs).squareRoot()
            #expect(abs(mean - 1 / leaving) < spread, "\(state ? "bad" : "good"): \(mean) packets in \(runs) runs")
        }
    }

    @Test func `a moment has the same state for every sequence of packets before it`() {
        let dense = losses(at: 0..<100_000)
        #expect(dense.contains(true) && dense.contains(false))
        let sparse = Array(stride(from: 3, to: 100_000, by: 97))
        #expect(losses(at: sparse) == sparse.map { dense[$0] })
    }

    // The reason for this model: a burst that is counted in packets takes them all, however far apart.
    @Test func `one of four retransmissions at doubling intervals gets through`() {
        for start in stride(from: 0, to: 200_000, by: 2_000) {
            let lost = losses(at: [0, 200, 600, 1400, 3000].map { start + $0 })
            #expect(lost.contains(false))
        }
    }

    @Test func `each state loses its own share`() {
        let fades = losses(at: 0..<200_000)
        let mixed = losses(
            .fading(goodMilliseconds: Self.good, badMilliseconds: Self.bad, lossInBad: 0.6, lossInGood: 0.02),
            at: 0..<200_000)
        for (state, share) in [(true, 0.6), (false, 0.02)] {
            let packets = zip(fades, mixed).filter { $0.0 == state }
            let bounds = Bounds.binomial(share, packets.count)
            #expect(bounds.contains(Double(packets.count { $0.1 })))
        }
    }

    @Test func `seed and direction give the periods`() {
        let first = losses(at: 0..<10_000)
        #expect(losses(at: 0..<10_000) == first)
        #expect(losses(at: 0..<10_000, seed: 22) != first)
        #expect(losses(at: 0..<10_000, stream: 5) != first)
    }

    @Test func `another delay keeps the state, and another loss model restarts it`() {
        let whole = losses(at: 0..<20_000)
        var link = LinkDirection(seed: 21, stream: 4, parameters: LinkParameters(loss: Self.total))
        var lost = (0..<5_000).map { Self.isLost(&link, at: $0) }
        link.change(
            to: LinkParameters(delayNanoseconds: 1_000_000, loss: Self.total), at: LinkTime(nanoseconds: 5_000_000_000))
        lost += (5_000..<10_000).map { Self.isLost(&link, at: $0) }
        #expect(lost == Array(whole[..<10_000]))

        let now = LinkTime(nanoseconds: 10_000_000_000)
        link.change(to: .perfect, at: now)
        link.change(to: LinkParameters(loss: Self.total), at: now)
        #expect((10_000..<20_000).map { Self.isLost(&link, at: $0) } == Array(whole[..<10_000]))
    }

    @Test func `probes do not change the fate of packets`() {
        let expected = losses(at: 0..<5_000)
        var link = LinkDirection(seed: 21, stream: 4, parameters: LinkParameters(loss: Self.total))
        let probe: [UInt8] = [1]
        let lost = (0..<5_000).map { time in
            link.offerProbe(probe.span, at: LinkTime(nanoseconds: Int64(time) * 1_000_000))
            return Self.isLost(&link, at: time)
        }
        #expect(lost == expected)
    }
}
