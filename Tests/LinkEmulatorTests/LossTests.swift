import LinkEmulator
import Testing

// 50,000 packets: the 99.9 % interval of 2 % loss is then ± 0.2 percentage points.
@Suite struct LossTests {
    private static let count = 50_000

    private func losses(_ model: LinkEffect.Loss, count: Int = LossTests.count, seed: UInt64 = 21) -> [Bool] {
        var link = LinkDirection(seed: seed, stream: 4, parameters: LinkParameters(loss: model))
        let packet: [UInt8] = [1]
        return (0..<count).map { number in
            let now = LinkTime(nanoseconds: Int64(number))
            let fate = link.offer(packet.span, at: now)
            link.release(upTo: now) { _, _ in }
            return fate.outcome == .dropped(.loss)
        }
    }

    @Test(arguments: [0.0005, 0.01, 0.1, 0.5, 0.99])
    func `independent loss has the configured share`(_ share: Double) {
        let lost = losses(.independent(share)).count { $0 }
        #expect(Bounds.binomial(share, Self.count).contains(Double(lost)), "\(lost) lost")
    }

    @Test func `independent losses are independent`() {
        let lost = losses(.independent(0.2))
        let pairs = zip(lost, lost.dropFirst()).count { $0 && $1 }
        #expect(Bounds.binomial(0.04, Self.count, inflation: 1.4).contains(Double(pairs)))
    }

    // Mean loss 2 %, mean burst 5: r = 1/5, p = r·0.02/0.98. Consecutive packets correlate with λ = 1 − p − r, which
    // multiplies the variance of the count by (1 + λ)/(1 − λ).
    @Test func `Gilbert–Elliott loss has the configured mean and burst length`() {
        let r = 0.2
        let p = r * 0.02 / 0.98
        let lost = losses(.gilbertElliott(p: p, r: r, lossInBad: 1, lossInGood: 0))
        let correlation = 1 - p - r
        let bounds = Bounds.binomial(0.02, Self.count, inflation: (1 + correlation) / (1 - correlation))
        let count = lost.count { $0 }
        #expect(bounds.contains(Double(count)), "\(count) lost")

        let bursts = zip([false] + lost, lost).count { !$0 && $1 }
        let mean = Double(count) / Double(bursts)
        // A geometric length with mean 1/r has the standard deviation √(1 − r)/r.
        let spread = Bounds.z * (1 - r).squareRoot() / r / Double(bursts).squareRoot()
        #expect(abs(mean - 1 / r) < spread, "mean burst \(mean) of \(bursts)")
    }

    @Test func `both states of Gilbert–Elliott lose their own share`() {
        let (p, r, bad, good) = (0.05, 0.1, 0.6, 0.01)
        let share = p / (p + r) * bad + r / (p + r) * good
        let lost = losses(.gilbertElliott(p: p, r: r, lossInBad: bad, lossInGood: good)).count { $0 }
        let correlation = 1 - p - r
        let bounds = Bounds.binomial(share, Self.count, inflation: (1 + correlation) / (1 - correlation))
        #expect(bounds.contains(Double(lost)), "\(lost) lost, \(share) asked")
    }

    // netem's `loss state`: in the long run π1·p13 = π3·p31, π2·p23 = π3·p32 and π4 = π1·p14. Losses depend on each
    // other, so the variance is taken from the means of 50 batches of 2,000 packets.
    @Test(arguments: [(0.02, 0.3, 0.2, 0.4, 0.01), (0.1, 0.2, 0.5, 0.1, 0.05), (0.05, 1, 0, 1, 0), (0, 1, 0, 1, 0.2)])
    func `four states have netem's share and bursts`(
        _ p13: Double, _ p31: Double, _ p32: Double, _ p23: Double, _ p14: Double
    ) {
        let (three, two, four) = (p13 / p31, p13 / p31 * p32 / p23, p14)
        let all = 1 + two + three + four
        let share = (three + four) / all
        let lost = losses(.fourState(p13: p13, p31: p31, p32: p32, p23: p23, p14: p14), count: 100_000)
        let means = stride(from: 0, to: lost.count, by: 2000).map { start in
            Double(lost[start..<start + 2000].count { $0 }) / 2000
        }
        let mean = means.reduce(0, +) / 50
        let error = (means.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 49 / 50).squareRoot()
        #expect(abs(mean - share) < Bounds.z * error, "\(mean) lost, \(share) asked")

        // A burst in state 3 ends with p31 + p32; one of state 4 is a single packet.
        let bursts = zip([false] + lost, lost).count { !$0 && $1 }
        let length = Double(lost.count { $0 }) / Double(bursts)
        let expected = (three + four) / (p13 + p14 + two * p23)
        #expect(abs(length / expected - 1) < 0.08, "mean burst \(length), expected \(expected)")
    }

    // With every probability 0 or 1 the sequence of states is known: 1 → 4 → 1, and 1 → 3 → 2 → 3.
    @Test func `each of the four states has netem's transitions`() {
        let single = losses(.fourState(p13: 0, p31: 1, p32: 0, p23: 1, p14: 1), count: 6)
        #expect(single == [true, false, true, false, true, false])
        let within = losses(.fourState(p13: 1, p31: 0, p32: 1, p23: 1, p14: 0), count: 6)
        #expect(within == [true, false, true, false, true, false])
        #expect(losses(.fourState(p13: 1, p31: 0, p32: 0, p23: 1, p14: 0), count: 4) == [true, true, true, true])
        #expect(losses(.fourState(p13: 1, p31: 0, p32: 1, p23: 0, p14: 0), count: 4) == [true, false, false, false])
        #expect(losses(.fourState(p13: 1, p31: 1, p32: 0, p23: 0, p14: 0), count: 4) == [true, false, true, false])
    }

    @Test func `exactly the listed packets are lost`() {
        let lost = losses(.packets([1, 4, 5, 100]), count: 200)
        #expect(lost.indices.filter { lost[$0] } == [0, 3, 4, 99])
    }

    @Test func `the same seed loses the same packets, another seed different ones`() {
        let model = LinkEffect.Loss.independent(0.3)
        #expect(losses(model, count: 1000) == losses(model, count: 1000))
        #expect(losses(model, count: 1000) != losses(model, count: 1000, seed: 22))
    }

    @Test func `a run's losses can be replayed by their indexes`() {
        let packet: [UInt8] = [1]
        func run(_ model: LinkEffect.Loss, seed: UInt64) -> [PacketDecision] {
            var link = LinkDirection(seed: seed, stream: 0, parameters: LinkParameters(loss: model))
            return (0..<500).map { number in
                let now = LinkTime(nanoseconds: Int64(number))
                return PacketDecision(link.offer(packet.span, at: now))
            }
        }
        let first = run(.gilbertElliott(p: 0.1, r: 0.3, lossInBad: 0.9, lossInGood: 0.05), seed: 1)
        #expect(first.contains { $0.drop == .loss })
        #expect(run(.replaying(first), seed: 2) == first)
    }
}
