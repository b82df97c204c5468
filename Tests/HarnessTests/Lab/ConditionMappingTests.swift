import LinkEmulator
import LinuxNet
import Scenario
import Testing

@testable import Harness

/// One condition, two engines: the emulator takes every effect; the kernel's takes it exactly or refuses it by name.
@Suite struct ConditionMappingTests {
    private static let rate = BitRate(bitsPerSecond: 8_000_000)!
    private static let share = Probability(0.02)!
    private static let delay = LinkEffect.delay(.milliseconds(20), jitter: nil)

    @Test func `the emulator is given every effect as asked`() {
        let condition = Condition([
            .rate(Self.rate),
            .delay(.milliseconds(20), jitter: .init(amount: .milliseconds(5), distribution: .pareto, allowsReordering: true)),
            .loss(.gilbertElliott(p: Self.share, r: Probability(0.2)!, inBad: .certain, inGood: .zero)),
            .duplicate(Self.share), .reorder(Self.share), .corrupt(Self.share), .queue(bytes: ByteCount(3000), packets: 7),
            .mtu(1400), .outages(every: .seconds(4), lasting: .milliseconds(400)),
        ])
        let expected = LinkParameters(
            rateBitsPerSecond: 8_000_000, queueBytes: 3000, queuePackets: 7, delayNanoseconds: 20_000_000,
            jitter: JitterModel(amountNanoseconds: 5_000_000, distribution: .pareto, allowsReordering: true),
            loss: .gilbertElliott(p: 0.02, r: 0.2, lossInBad: 1, lossInGood: 0), duplicate: 0.02, reorder: 0.02, corrupt: 0.02,
            mtu: 1400, outages: OutagePattern(everyNanoseconds: 4_000_000_000, lastingNanoseconds: 400_000_000))
        #expect(LinkParameters(condition) == expected)
        #expect(!LinkParameters(condition, swallowsEverything: true).isUp)
    }

    @Test func `a rate alone is a token bucket and nothing is nothing`() throws {
        guard case .tokenBucket(let bucket) = try EgressQdisc.make(Condition([.rate(Self.rate)]), swallowsEverything: false)
        else {
            Issue.record("a rate needs no netem")
            return
        }
        #expect(bucket.bytesPerSecond == 1_000_000)
        #expect(try EgressQdisc.make(.perfect, swallowsEverything: false) == .none)
        #expect(try EgressQdisc.make(.perfect, swallowsEverything: true) == .blackhole)
    }

    @Test func `delay, loss and the rest are netem, with the rate behind it`() throws {
        let condition = Condition([Self.delay, .loss(.independent(Self.share)), .rate(Self.rate)])
        guard case .netem(let netem, let bottleneck?) = try EgressQdisc.make(condition, swallowsEverything: false) else {
            Issue.record("expected netem with a bottleneck")
            return
        }
        #expect(netem.delay == 20_000_000)
        #expect(netem.loss == .independent(0.02))
        #expect(bottleneck.bytesPerSecond == 1_000_000)
    }

    @Test(arguments: [
        (LinkEffect.loss(.packets([3])), "by index"), (.mtu(1400), "path MTU"),
        (.outages(every: .seconds(4), lasting: .seconds(1)), "schedule"),
        (.delay(.milliseconds(20), jitter: .init(amount: .milliseconds(5))), "reorders"),
    ])
    func `what the kernel cannot do exactly it refuses with the reason`(_ effect: LinkEffect, _ reason: String) {
        #expect {
            try EgressQdisc.make(Condition([effect]), swallowsEverything: false)
        } throws: { error in
            guard case .cannotExpress(let condition, let engine, let text) = error as? HarnessError else { return false }
            return engine == "kernel" && text.contains(reason) && condition == effect.summary
        }
    }
}
