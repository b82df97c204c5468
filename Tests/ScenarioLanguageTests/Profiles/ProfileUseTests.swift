@testable import Record
@testable import Conformance
import LinkEmulator
import Testing

@testable import ScenarioLanguage

/// Tests that the parts of a profile other than its first condition reach the plan, the timeline and the changes, or
/// are refused.
@Suite struct ProfileUseTests {
    private func read(_ network: String, dnsRules: String = "", timeline: String = "", limit: String = "30s") throws
        -> Scenario
    {
        let text = """
            scenario: A profile in use
            proves: [TEST-01]
            timeout: \(limit)
            \(dnsRules)network:
            \(network)
            steps:
              - data: http://www.example.test/hello
                as: t
            \(timeline)expect:
              - completes: { task: t, error: none }
            """
        return try ScenarioReader.read(file: "profile.yaml", text: text).get()
    }

    private func refusal(_ network: String, timeline: String) -> String {
        do {
            _ = try read(network, timeline: timeline)
            return "taken"
        } catch {
            return "\(error)"
        }
    }

    private let late = DNSRule(host: "*", content: .origin, delay: .seconds(3))

    @Test func `DNS rules reach the plan, also for the hosts of the steps`() throws {
        #expect(try read("  wifi: high-latency-dns").network.dns.rules == [late])
        #expect(try read("  wifi: { profile: high-latency-dns, both: { rate: 1Mbit/s } }").network.dns.rules == [late])
    }

    @Test func `the file's rule for a host takes precedence over the profile's`() throws {
        let own = try read("  wifi: high-latency-dns", dnsRules: "dns:\n  '*': nxdomain\n").network.dns.rules
        #expect(own == [DNSRule(host: "*", content: .nxdomain)])
        let beside = try read("  wifi: high-latency-dns", dnsRules: "dns:\n  www.example.test: origin\n").network.dns
            .rules
        #expect(beside == [late, DNSRule(host: "www.example.test", content: .origin)])
    }

    @Test func `with several networks only the profile's name server replies this way`() throws {
        let rules = try read("  wifi: captive-portal\n  cellular: lte").network.dns.rules
        #expect(rules.map(\.interface) == [nil, .wifi])
        #expect(rules.map(\.content) == [.origin, .addresses(["203.0.113.10"])])
        #expect(rules.last?.reply.timeToLive == 0)
    }

    @Test func `profile steps become timeline entries up to the timeout`() throws {
        let timeline = try read("  wifi: elevator").timeline
        #expect(timeline.map(\.trigger) == [3, 11, 15].map { Trigger(.sinceStart(.seconds($0))) })
        #expect(
            timeline.first?.changes
                == [
                    .link(
                        .wifi,
                        LinkPlan(
                            name: "elevator", downlink: LinkProfile.elevator.steps[0].downlink,
                            uplink: LinkProfile.elevator.steps[0].uplink))
                ])
        #expect(try read("  wifi: elevator", limit: "10s").timeline.count == 1)
    }

    @Test func `effects that override a profile with steps override every step`() throws {
        let timeline = try read("  wifi: { profile: elevator, downlink: { mtu: 1300 } }").timeline
        #expect(timeline.count == 3)
        for entry in timeline {
            guard case .link(.wifi, let link)? = entry.changes.first else {
                Issue.record("no link change")
                return
            }
            #expect(link.downlink.effects.contains(.mtu(1300)))
            #expect(!link.uplink.effects.contains(.mtu(1300)))
        }
    }

    @Test func `during the run a profile's DNS rules become changes, also for unlisted hosts`() throws {
        let set = "timeline:\n  - when: { sinceStart: 2s }\n    set: { wifi: high-latency-dns }\n"
        let changes = try #require(try read("  wifi: good-wifi", timeline: set).timeline.first).changes
        var host = late
        host.host = "www.example.test"
        #expect(changes == [.link(.wifi, LinkProfile.highLatencyDNS.link), .name(late), .name(host)])
    }

    @Test func `a profile set by a step adds its DNS rules too`() throws {
        let text = """
            scenario: A profile in use
            proves: [TEST-01]
            network: { wifi: good-wifi }
            steps:
              - set: { wifi: high-latency-dns }
              - data: http://www.example.test/hello
                as: t
            expect:
              - completes: { task: t, error: none }
            """
        let scenario = try ScenarioReader.read(file: "profile.yaml", text: text).get()
        guard case .change(let changes)? = scenario.script.first else {
            Issue.record("no change")
            return
        }
        #expect(changes.count == 3)
    }

    @Test(arguments: ["elevator", "walk-out", "{ profile: walk-out, downlink: { loss: 1% } }"])
    func `a profile with steps is refused during the run`(_ profile: String) {
        let set = "timeline:\n  - when: { sinceStart: 2s }\n    set: { wifi: \(profile) }\n"
        #expect(refusal("  wifi: good-wifi", timeline: set).contains("changes over time"))
    }

    @Test(arguments: ProfileCatalogue.all)
    func `profile steps are in order of time after the start`(_ profile: LinkProfile) {
        var last = Duration.zero
        for step in profile.steps {
            #expect(step.after > last)
            last = step.after
        }
        for rule in profile.dnsRules { #expect(rule.interface == nil) }
    }
}
