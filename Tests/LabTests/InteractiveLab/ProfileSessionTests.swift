import Record
import ScenarioLanguage
import Testing

@testable import Lab

/// A profile has the same meaning in an interactive lab as in a scenario.
@Suite struct ProfileSessionTests {
    private func changes(_ words: [String]) throws -> [NetworkChange] {
        let network = InteractiveLabPlan.network([(kind: .wifi, profile: .goodWifi)])
        return try InteractiveLabNetwork(network, forwards: try ForwardPlan([])).changes(
            try SetCommandParser.read(words))
    }

    @Test func `name rules follow the lab's own rule for all names`() throws {
        let network = InteractiveLabPlan.network([(kind: .wifi, profile: .highLatencyDNS)])
        let rules = InteractiveLabPlan(network: network, forwards: try ForwardPlan([])).scenario.network.dns.rules
        #expect(rules.last == LinkProfile.highLatencyDNS.dnsRules.first)
    }

    @Test func `steps become a timeline`() {
        let steps = InteractiveLabPlan.steps([(kind: .wifi, profile: .elevator)])
        #expect(steps.map(\.trigger) == [3, 11, 15].map { Trigger(.sinceStart(.seconds($0))) })
    }

    @Test func `set also changes names and refuses steps`() throws {
        #expect(
            try changes(["wifi", "captive-portal"]) == [
                .link(.wifi, LinkProfile.captivePortal.link),
                .name(try #require(LinkProfile.captivePortal.dnsRules.first)),
            ])
        #expect {
            _ = try changes(["wifi", "walk-out"])
        } throws: { "\($0)".contains("changes over time") }
    }
}
