import Record
import AdapterProtocol
import LinkEmulator
import ScenarioLanguage
import Testing

@testable import Lab

/// The words after `crosswind set` become the object under `set:` of a scenario, and then the same changes.
@Suite struct SetCommandParserTests {
    private let network = InteractiveLabPlan.network([(kind: .wifi, profile: .goodWifi)])

    private func read(_ words: String) throws -> [NetworkChange] {
        let change = try SetCommandParser.read(words.split(separator: " ").map(String.init))
        return try InteractiveLabNetwork(network, forwards: try ForwardPlan([])).changes(change)
    }

    private func refusal(_ words: String) -> String {
        do {
            _ = try read(words)
            return "taken"
        } catch {
            return "\(error)"
        }
    }

    @Test func `a single word is a state or a profile`() throws {
        #expect(try read("wifi down") == [.interfaceState(.wifi, .down)])
        #expect(
            try read("wifi lte") == [
                .link(.wifi, LinkPlan(name: "lte", downlink: LinkProfile.lte.downlink, uplink: LinkProfile.lte.uplink))
            ])
    }

    @Test func `effects are added to the present condition, in both directions unless one is named`() throws {
        guard
            case .link(.wifi, let link)? = try read(
                "wifi perfect rate=1Mbit/s delay=80ms downlink.loss=2% uplink.mtu=1300"
            ).first
        else {
            Issue.record("no link change")
            return
        }
        #expect(link.name == "custom")
        let rate = try #require(BitRate(bitsPerSecond: 1_000_000))
        let share = try #require(Probability(0.02))
        #expect(
            Set(link.downlink.effects) == [
                .rate(rate), .delay(.milliseconds(80), jitter: nil), .loss(.independent(share)),
            ])
        #expect(Set(link.uplink.effects) == [.rate(rate), .delay(.milliseconds(80), jitter: nil), .mtu(1300)])
        // Without a profile the present one is kept: only the rate differs.
        guard case .link(_, let kept)? = try read("wifi rate=1Mbit/s").first else { return }
        #expect(
            kept.downlink.effects.filter { !$0.isRateForTest }
                == LinkProfile.goodWifi.downlink.effects.filter { !$0.isRateForTest })
    }

    @Test func `a second change is based on the first`() throws {
        var session = InteractiveLabNetwork(network, forwards: try ForwardPlan([]))
        for words in [["wifi", "perfect", "loss=5%"], ["wifi", "delay=20ms"]] {
            for change in try session.changes(try SetCommandParser.read(words)) { session.record(change) }
        }
        #expect(session.plan.interfaces[0].link.downlink.summary.contains("loss 5.0%"))
        #expect(session.plan.interfaces[0].link.downlink.summary.contains("delay 20"))
    }

    @Test func `deeper keys are written with dots`() throws {
        let change = try SetCommandParser.read([
            "wifi", "queue.bytes=64KiB", "queue.drop=head", "loss.bursts.p=1%", "loss.bursts.r=20%",
        ])
        let both = change.object?["wifi"]?.object?["both"]?.object
        #expect(both?["queue"] == .object(["bytes": .text("64KiB"), "drop": .text("head")]))
        #expect(both?["loss"] == .object(["bursts": .object(["p": .text("1%"), "r": .text("20%")])]))
        #expect(try read("wifi queue.bytes=64KiB loss.bursts.p=1% loss.bursts.r=20%").count == 1)
    }

    @Test func `DNS, several subjects and addresses`() throws {
        #expect(try read("dns slow.test=nxdomain") == [.name(DNSRule(host: "slow.test", content: .nxdomain))])
        #expect(
            try read("dns a.test=192.0.2.7,2001:db8::7")
                == [.name(DNSRule(host: "a.test", content: .addresses(["192.0.2.7", "2001:db8::7"])))])
        #expect(
            try read("dns *=origin delay=2s") == [.name(DNSRule(host: "*", content: .origin, delay: .seconds(2)))])
        #expect(
            try read("wifi down , dns slow.test=silent")
                == [.interfaceState(.wifi, .down), .name(DNSRule(host: "slow.test", content: .silent))])
        #expect(
            try read("wifi flapping.times=3 flapping.downFor=1s flapping.upFor=2s")
                == [.flaps(.wifi, Flapping(times: 3, downFor: .seconds(1), upFor: .seconds(2)))])
        #expect(try read("renumber wifi") == [.renumber(.wifi)])
        #expect(
            try read("connections wifi end=drop") == [
                .connections(ConnectionKillPlan(interface: .wifi, connection: nil, manner: .silently))
            ])
    }

    @Test func `NAT64 is a word of the request and not of scenarios`() throws {
        #expect(try SetCommandParser.read(["nat64", "on"]) == .object(["nat64": .boolean(true)]))
        #expect(
            try SetCommandParser.read(["nat64", "off", ",", "wifi", "down"])
                == .object(["nat64": .boolean(false), "wifi": .text("down")]))
        for words in [["nat64"], ["nat64", "yes"], ["nat64", "on", "off"]] {
            #expect(throws: ControlError.self) { try SetCommandParser.read(words) }
        }
    }

    /// The state is restored even if it is the same, because it ends flapping.
    @Test func `the differences to the start restore what has changed`() throws {
        let start = InteractiveLabPlan.network([(kind: .wifi, profile: .goodWifi), (kind: .cellular, profile: .lte)])
        var session = InteractiveLabNetwork(start, forwards: try ForwardPlan([]))
        let states = [NetworkChange.interfaceState(.wifi, .up), .interfaceState(.cellular, .up)]
        #expect(session.differences(to: start) == states)
        for words in [["wifi", "edge"], ["cellular", "down"], ["cellular", "expensive=false"]] {
            for change in try session.changes(try SetCommandParser.read(words)) { session.record(change) }
        }
        let restored = session.differences(to: start)
        #expect(
            restored == [
                .link(.wifi, start.interfaces[0].link), states[0], .cost(.cellular, start.interfaces[1].cost),
                states[1],
            ])
        for change in restored { session.record(change) }
        #expect(session.plan == start)
    }

    @Test(arguments: [
        ("wifi", "crosswind set wifi down"), ("wify down", "`wify` cannot be changed"), ("", "name a change"),
        ("wifi dwon", "did you mean `down`"), ("wifi rat=1Mbit/s", "did you mean `rate`"),
        ("wifi rate=1", "has no unit"),
        ("wifi sideways.rate=1Mbit/s", "the key `sideways` does not exist"), ("wifi lte edge", "second profile"),
        ("wifi down , , wifi up", "two commas"), ("wifi down , wifi up", "changed twice"),
        ("dns slow.test", "not a name with a reply"), ("dns delay=2s", "name the hosts"),
        ("cellular up", "start it with --interface cellular"), ("dns a.test=1.2.3", "not an IP address"),
        ("names a.test=nxdomain", "`names` was renamed to `dns`"), ("wifi up.delay=1s", "`up` was renamed to `uplink`"),
        ("wifi flaps.times=3", "`flaps` was renamed to `flapping`"),
    ])
    func `invalid words are refused with a correction`(_ words: String, _ reason: String) {
        #expect(refusal(words).contains(reason), "\(refusal(words))")
    }
}

extension LinkEffect {
    fileprivate var isRateForTest: Bool { if case .rate = self { true } else { false } }
}
