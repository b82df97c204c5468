import Glibc
import LinkEmulator
import Testing

// 20,000 packets; the Kolmogorov–Smirnov bound at 99.9 % is then 0.0138. A normal distribution instead of a uniform one
// with equal variance would be 0.06 away.
@Suite struct JitterTests {
    private static let count = 20_000
    private static let delay: Int64 = 100_000_000
    private static let amount: Int64 = 10_000_000

    /// Returns the planned delays beyond the link's, in amounts. Packets are a second apart, so ordering never
    /// interferes.
    private func offsets(_ distribution: LinkEffect.Jitter.Distribution) -> [Double] {
        var link = LinkDirection(
            seed: 3, stream: 1,
            parameters: LinkParameters(
                delayNanoseconds: Self.delay,
                jitter: LinkEffect.Jitter(
                    amountNanoseconds: Self.amount, distribution: distribution, allowsReordering: false)
            ))
        let packet: [UInt8] = [1, 2, 3]
        return (0..<Self.count).map { number in
            let now = LinkTime(nanoseconds: Int64(number) * 1_000_000_000)
            let fate = link.offer(packet.span, at: now)
            link.release(upTo: now) { _, _ in }
            guard case .delivered(let planned) = fate.outcome else { return .nan }
            return Double(planned - now - Self.delay) / Double(Self.amount)
        }
    }

    @Test func `uniform jitter is uniform`() {
        let distance = Bounds.distance(offsets(.uniform)) { min(1, max(0, ($0 + 1) / 2)) }
        #expect(distance < Bounds.kolmogorovSmirnov(Self.count), "distance \(distance)")
    }

    @Test func `normal jitter is normal`() {
        let distance = Bounds.distance(offsets(.normal)) { 0.5 * erfc(-$0 / 2.0.squareRoot()) }
        #expect(distance < Bounds.kolmogorovSmirnov(Self.count), "distance \(distance)")
    }

    @Test func `pareto jitter has netem's shape`() {
        let distance = Bounds.distance(offsets(.pareto)) { offset in
            let x = offset * 3 / 4 + 1.5
            // Everything beyond the truncation lies on it.
            return x <= 1 ? 0 : offset >= 3.999_999 ? 1 : 1 - pow(x, -3)
        }
        #expect(distance < Bounds.kolmogorovSmirnov(Self.count) + Self.shareBeyondCut, "distance \(distance)")
    }
    @Test func `jitter by a table has the quantiles of the table, joined by straight lines`() {
        let distance = Bounds.distance(offsets(.table([-2, -0.1, 0.1, 2]))) { offset in
            let parts = [(offset + 2) / 1.9, (offset + 0.1) / 0.2, (offset - 0.1) / 1.9]
            return parts.reduce(0) { $0 + min(1, max(0, $1)) } / 3
        }
        #expect(distance < Bounds.kolmogorovSmirnov(Self.count), "distance \(distance)")
    }

    @Test func `a table of two quantiles is uniform between them`() {
        let distance = Bounds.distance(offsets(.table([0, 3]))) { min(1, max(0, $0 / 3)) }
        #expect(distance < Bounds.kolmogorovSmirnov(Self.count), "distance \(distance)")
    }

    /// P(x > 4.5) for Pareto with shape 3: the step of the true distribution at the truncation, which the distance
    /// cannot measure.
    private static let shareBeyondCut = 0.011

    @Test func `a delay never becomes negative`() {
        var link = LinkDirection(
            seed: 3, stream: 1,
            parameters: LinkParameters(
                delayNanoseconds: 1000, jitter: LinkEffect.Jitter(amountNanoseconds: 100_000, allowsReordering: true)))
        let packet: [UInt8] = [1]
        var shortest = Int64.max
        for number in 0..<5000 as Range<Int64> {
            let now = LinkTime(nanoseconds: number * 1_000_000)
            guard case .delivered(let planned) = link.offer(packet.span, at: now).outcome else { continue }
            shortest = min(shortest, planned - now)
        }
        #expect(shortest == 0)
    }

    // Spacing of 1 ms with a standard deviation of 10 ms: nearly every packet would overtake if it could.
    @Test(
        arguments: [.uniform, .normal, .pareto, .table([-1, 0, 0.5, 3])] as [LinkEffect.Jitter.Distribution],
        [false, true])
    func `packets overtake only if that is allowed`(_ distribution: LinkEffect.Jitter.Distribution, _ allowed: Bool) {
        var link = LinkDirection(
            seed: 9, stream: 1,
            parameters: LinkParameters(
                delayNanoseconds: Self.delay,
                jitter: LinkEffect.Jitter(
                    amountNanoseconds: Self.amount, distribution: distribution, allowsReordering: allowed)))
        let packet: [UInt8] = [1]
        var order: [UInt64] = []
        var planned: [LinkTime] = []
        for number in 0..<5000 as Range<Int64> {
            let now = LinkTime(nanoseconds: number * 1_000_000)
            link.offer(packet.span, at: now)
            link.release(upTo: now) { _, info in
                order.append(info.index)
                planned.append(info.planned)
            }
        }
        link.release(upTo: .distantFuture - 1) { _, info in
            order.append(info.index)
            planned.append(info.planned)
        }
        #expect(order.count == 5000)
        #expect(planned == planned.sorted())
        #expect((order == order.sorted()) == !allowed)
        #expect(order.sorted() == Array(1...5000))
    }
}
