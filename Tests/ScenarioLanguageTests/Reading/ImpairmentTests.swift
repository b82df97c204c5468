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

    @Test(arguments: [
        "loss: 0%", "duplicate: 0%", "reorder: 0%", "corrupt: 0%", "promotion: { delay: 0s, idleTimeout: 5s }",
    ])
    func `zero turns an effect off`(_ key: String) throws {
        let all = Condition(try effects(Self.keys.joined(separator: ", ")))
        #expect(try effects(key, over: all).count == all.effects.count - 1)
    }
}
