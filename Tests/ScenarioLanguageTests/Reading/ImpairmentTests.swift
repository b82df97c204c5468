@testable import Record
import LinkEmulator
import Testing

@testable import ScenarioLanguage

/// Every key of a direction is given once, with the values that turn effects on and off.
@Suite struct ImpairmentTests {
    private static let keys = [
        "rate: 1Mbit/s", "promotion: { delay: 1s, idleTimeout: 5s }", "delay: 20ms", "jitter: 5ms", "loss: 2%",
        "duplicate: 1%", "reorder: 1%", "corrupt: 1%", "queue: 64KiB", "mtu: 1400",
        "outages: { every: 4s, lasting: 1s }", "filter: [{ packets: syn, do: refuse }]",
    ]

    private func effects(_ keys: String, over base: Condition = .perfect) throws -> [LinkEffect] {
        var plan = NetworkPlan()
        plan.interfaces = [InterfacePlan(kind: .wifi, link: LinkPlan(name: "x", downlink: base, uplink: base))]
        let changes = try ChangeReader.read("{ wifi: { uplink: { \(keys) } } }", from: "test", in: plan).get()
        guard case .link(.wifi, let link)? = changes.first else { return [] }
        return link.uplink.effects
    }

    @Test func `each key makes the effect of its own declaration and of no other`() throws {
        for (impairment, key) in Impairment.all.flatMap({ kind in kind.fields.map { (kind, $0.name) } }) {
            let text = try #require(Self.keys.first { $0.hasPrefix(key + ":") })
            let made = try effects(text)
            #expect(made.count == 1 && made.allSatisfy(impairment.matches), "\(text)")
            #expect(Impairment.all.count { $0.matches(made[0]) } == 1, "\(text)")
        }
    }

    @Test func `a condition has the effects in the order of the declarations, each described`() throws {
        let all = try effects(Self.keys.joined(separator: ", "))
        #expect(
            Condition(all).summary
                == "1.0Mbit/s, 1000 ms from idle after 5000 ms, delay 20 ms ± 5 ms normal, loss 2.0%, duplicate 1.0%, "
                + "reorder 1.0%, corrupt 1.0%, queue 64KiB, mtu 1400, out for 1000 ms every 4000 ms, refuses all syn")
    }

    @Test func `jitter alone keeps the delay of the profile`() throws {
        let made = try effects("jitter: 5ms", over: Condition([.delay(.milliseconds(20), jitter: nil)]))
        #expect(Condition(made).summary == "delay 20 ms ± 5 ms normal")
    }

    /// The other models of loss share one key with the share of packets.
    @Test(arguments: [
        (
            "bursts: { p: 1%, r: 20%, lossInGood: 2% }",
            LinkEffect.Loss.gilbertElliott(
                p: Probability(0.01)!, r: Probability(0.2)!, lossInBad: .certain, lossInGood: Probability(0.02)!),
            "loss in bursts p 1.0% r 20.0% (100.0% in bad, 2.0% in good)"
        ),
        (
            "fading: { good: 4s, bad: 200ms, lossInBad: 30% }",
            .fading(good: .seconds(4), bad: .milliseconds(200), lossInBad: Probability(0.3)!, lossInGood: .zero),
            "loss in bursts of 200 ms after 4000 ms (30.0% in bad, 0.0% in good)"
        ),
        ("packets: [3, 1]", .packets([1, 3]), "loss of packets 1 3"),
    ])
    func `each model of loss is read and described`(_ key: String, _ model: LinkEffect.Loss, _ summary: String) throws {
        let made = try effects("loss: { \(key) }")
        #expect(made == [.loss(model)])
        #expect(Condition(made).summary == summary)
    }

    // Fading lasts 200 of 4,200 ms: 0.3 · 200/4200 + 0.02 · 4000/4200.
    @Test func `the share that fading loses follows from its durations`() throws {
        let made = try effects("loss: { fading: { good: 4s, bad: 200ms, lossInBad: 30%, lossInGood: 2% } }")
        #expect(abs((Condition(made).lossShare ?? 0) - 140.0 / 4200) < 1e-12)
    }

    @Test(arguments: [
        "loss: { fading: { good: 4s, bad: 0s } }", "loss: { fading: { good: 999us, bad: 1s } }",
        "loss: { fading: { good: 2h, bad: 1s } }",
    ])
    func `a state of fading that is too short or too long is refused`(_ key: String) {
        #expect(throws: ScenarioErrors.self) { try effects(key) }
    }

    @Test(arguments: [
        "loss: 0%", "duplicate: 0%", "reorder: 0%", "corrupt: 0%", "promotion: { delay: 0s, idleTimeout: 5s }",
    ])
    func `zero turns an effect off`(_ key: String) throws {
        let all = Condition(try effects(Self.keys.joined(separator: ", ")))
        #expect(try effects(key, over: all).count == all.effects.count - 1)
    }
}
