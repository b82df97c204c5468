import LabKernel
import LinkEmulator
import ScenarioLanguage
import Testing

@testable import Lab
@testable import LinkEngines

/// One condition, two engines: the emulator takes every effect; the kernel engine realises it exactly or refuses it by
/// name.
@Suite struct ConditionMappingTests {
    private static let rate = BitRate(bitsPerSecond: 8_000_000)!
    private static let share = Probability(0.02)!
    private static let delay = LinkEffect.delay(.milliseconds(20), jitter: nil)

    @Test(arguments: [
        (LinkEffect.delay(.zero, jitter: .init(amount: .seconds(1), distribution: .table([0, 1e300]))), "quantile 1"),
        (.loss(.fourState(p13: .certain, p31: .certain, p32: .zero, p23: .certain, p14: .certain)), "at most 1"),
        (.delay(.seconds(7200), jitter: nil), "one hour"), (.mtu(0), "mtu"),
        (.queue(bytes: nil, packets: 0), "queuePackets"),
        (
            .outages(
                .windows([
                    .init(from: .seconds(1), lasting: .seconds(2)), .init(from: .seconds(2), lasting: .seconds(1)),
                ])), "outage 1"
        ),
    ])
    func `invalid numbers are refused by name before any packet is sent`(_ effect: LinkEffect, _ reason: String) {
        #expect {
            try LinkParameters.make(Condition([effect]), swallowsEverything: false)
        } throws: { error in
            guard case .cannotExpress(let condition, let engine, let text) = error as? LabError else {
                return false
            }
            return engine == "emulator" && text.contains(reason) && condition.contains(effect.summary)
        }
    }

    @Test func `the kernel supports a bucket, CoDel, a table and four states`() throws {
        let burst = ByteCount(20_000)!
        guard
            case .tokenBucket(let bucket) = try EgressQdisc.make(
                Condition([.rate(.bucket(Self.rate, burst: burst))]), swallowsEverything: false)
        else {
            Issue.record("a bucket needs no netem")
            return
        }
        #expect(bucket.burstBytes == 20_000 && bucket.bytesPerSecond == 1_000_000)
        let codel = LinkEffect.queue(.init(.codel(target: .milliseconds(5), interval: .milliseconds(100)), packets: 50))
        guard
            case .tokenBucket(let bucket) = try EgressQdisc.make(
                Condition([.rate(Self.rate), codel]), swallowsEverything: false)
        else {
            Issue.record("CoDel needs no netem")
            return
        }
        #expect(bucket.discipline == .codel(target: 5_000_000, interval: 100_000_000) && bucket.queuePackets == 50)
        let table = LinkEffect.Jitter(amount: .milliseconds(1), distribution: .table([0, 8]), allowsReordering: true)
        let states = LinkEffect.Loss.fourState(
            p13: Self.share, p31: Self.share, p32: Self.share, p23: .certain, p14: Self.share)
        guard
            case .netem(let netem, bottleneck: nil) = try EgressQdisc.make(
                Condition([.delay(.milliseconds(20), jitter: table), .loss(states)]), swallowsEverything: false)
        else {
            Issue.record("expected netem alone")
            return
        }
        #expect(netem.loss == .fourState(p13: 0.02, p31: 0.02, p32: 0.02, p23: 1, p14: 0.02))
        // netem's table ends at 4 jitters, so it gets half the table and twice the jitter.
        #expect(abs(Double(netem.jitter) / 2_000_000 - 1) < 0.001)
    }

    @Test func `a rate alone becomes a token bucket and an empty condition nothing`() throws {
        guard
            case .tokenBucket(let bucket) = try EgressQdisc.make(
                Condition([.rate(Self.rate)]), swallowsEverything: false)
        else {
            Issue.record("a rate needs no netem")
            return
        }
        #expect(bucket.bytesPerSecond == 1_000_000)
        #expect(try EgressQdisc.make(.perfect, swallowsEverything: false) == .none)
        #expect(try EgressQdisc.make(.perfect, swallowsEverything: true) == .blackhole)
    }

    @Test func `delay, loss and other effects become netem, followed by the rate`() throws {
        let condition = Condition([Self.delay, .loss(.independent(Self.share)), .rate(Self.rate)])
        guard case .netem(let netem, let bottleneck?) = try EgressQdisc.make(condition, swallowsEverything: false)
        else {
            Issue.record("expected netem with a bottleneck")
            return
        }
        #expect(netem.delay == 20_000_000)
        #expect(netem.loss == .independent(0.02))
        #expect(bottleneck.bytesPerSecond == 1_000_000)
    }

    @Test(arguments: [true, false]) func `netem keeps the order by means of an imperceptible rate`(
        _ allowsReordering: Bool
    ) throws {
        let jitter = LinkEffect.Jitter(amount: .milliseconds(5), allowsReordering: allowsReordering)
        guard
            case .netem(let netem, bottleneck: nil) = try EgressQdisc.make(
                Condition([.delay(.milliseconds(20), jitter: jitter)]), swallowsEverything: false)
        else {
            Issue.record("expected netem alone")
            return
        }
        #expect((netem.bytesPerSecond > 10_000_000_000) == !allowsReordering)
    }

    @Test(arguments: [
        (LinkEffect.loss(.packets([3])), "by number"), (.mtu(1400), "path MTU"),
        (.outages(every: .seconds(4), lasting: .seconds(1)), "schedule"),
        (.rate(.trace(RateTrace(name: "t", milliseconds: [1])!)), "replay traces"),
        (.rate(.bucket(Self.rate, burst: ByteCount(500)!)), "longer than its burst"),
        (.promotion(.seconds(1), idle: .seconds(5)), "promotion"),
        (.queue(.init(.headDrop, bytes: ByteCount(9000))), "counts packets"),
        (
            .queue(.init(.codel(target: .milliseconds(5), interval: .seconds(1)), bytes: ByteCount(9000))),
            "counts packets"
        ),
        (.outages(.windows([.init(from: .zero, lasting: .seconds(1))])), "schedule"),
        (
            .loss(.fading(good: .seconds(4), bad: .seconds(1), lossInBad: .certain, lossInGood: .zero)),
            "counts bursts in packets"
        ),
    ])
    func `the kernel engine refuses what it cannot do exactly, with the reason`(_ effect: LinkEffect, _ reason: String)
    {
        #expect {
            try EgressQdisc.make(Condition([effect]), swallowsEverything: false)
        } throws: { error in
            guard case .cannotExpress(let condition, let engine, let text) = error as? LabError else {
                return false
            }
            return engine == "kernel" && text.contains(reason) && condition == effect.summary
        }
    }
}
