import LinkEmulator
import Testing

@testable import Record
@testable import ScenarioLanguage

struct ProfileCatalogueTests {
    @Test func `names are unique words that scenarios can write`() {
        let dnsRules = ProfileCatalogue.all.map(\.name)
        #expect(Set(dnsRules).count == dnsRules.count)
        #expect(
            Set(dnsRules).isSuperset(of: [
                "perfect", "good-wifi", "poor-wifi", "flaky-wifi", "lte", "3g", "edge", "very-bad-network", "dsl",
                "cable",
                "lossy-100",
                "satellite",
            ]))
        // A word under `set:` is a state or a profile, never both.
        #expect(Set(dnsRules).isDisjoint(with: InterfaceState.allCases.map(\.rawValue)))
        for name in dnsRules { #expect(ProfileCatalogue.named(name)?.name == name) }
        #expect(ProfileCatalogue.named("nothing") == nil)
    }

    @Test(arguments: ProfileCatalogue.all)
    func `each profile names the source of its numbers and the kind of delay stated`(profile: LinkProfile) {
        #expect(profile.summary.hasSuffix("."))
        #expect(profile.source.count > 20)
        let effects = profile.downlink.effects + profile.uplink.effects
        if effects.contains(where: Impairment.delay.matches) {
            #expect(profile.source.contains("one-way") || profile.source.contains("round trip"))
        }
    }

    @Test(arguments: ProfileCatalogue.all)
    func `a direction has at most one effect of each kind`(profile: LinkProfile) {
        for condition in [profile.downlink, profile.uplink] {
            for kind in Impairment.all { #expect(condition.effects.filter(kind.matches).count <= 1) }
        }
    }

    /// Halving a one-way number, or using a round trip unchanged, is the usual mistake in copies of these tables.
    @Test func `delays are one-way, whatever their source stated`() {
        #expect(delay(.lte, \.downlink) == .milliseconds(35), "70 ms round trip")
        #expect(delay(.threeG, \.uplink) == .milliseconds(100), "100 ms one-way")
        #expect(delay(.edge, \.downlink) == .milliseconds(400))
        #expect(delay(.edge, \.uplink) == .milliseconds(440))
        #expect(delay(.satellite, \.downlink) == .milliseconds(300))
    }

    private func delay(_ profile: LinkProfile, _ direction: KeyPath<LinkProfile, Condition>) -> Duration? {
        profile[keyPath: direction].effects.lazy.compactMap {
            if case .delay(let amount, _) = $0 { amount } else { nil }
        }.first
    }

    /// A fade must end while TCP waits, so flaky Wi-Fi counts it in time; a quarter of a retransmission timer of RFC 6298
    /// §2.4 at the most.
    @Test func `the fades of flaky wifi are short and lose two percent on average`() {
        for condition in [LinkProfile.flakyWifi.downlink, LinkProfile.flakyWifi.uplink] {
            #expect(abs((condition.lossShare ?? 0) - 0.02) < 0.0001)
            let fades = condition.effects.compactMap { effect -> Duration? in
                if case .loss(.fading(_, let bad, _, _)) = effect { bad } else { nil }
            }
            #expect(fades.count == 1 && fades.allSatisfy { $0 <= .milliseconds(250) })
        }
    }
}
