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

    /// Mean loss of a Gilbert–Elliott chain: share of the bad state p / (p + r) times its loss.
    @Test func `the bursts of flaky wifi lose two percent on average`() {
        for condition in [LinkProfile.flakyWifi.downlink, LinkProfile.flakyWifi.uplink] {
            let mean = condition.effects.lazy.compactMap { effect -> Double? in
                guard case .loss(.gilbertElliott(let p, let r, let lossInBad, let lossInGood)) = effect else {
                    return nil
                }
                let bad = p.value / (p.value + r.value)
                return bad * lossInBad.value + (1 - bad) * lossInGood.value
            }.first
            #expect(abs((mean ?? 0) - 0.02) < 0.0001)
        }
    }
}
