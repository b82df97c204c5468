import LinkEmulator

extension LinkProfile {
    /// A geostationary satellite link.
    package static let satellite: LinkProfile = {
        let eachWay = Condition([
            .rate(BitRate(bitsPerSecond: 25_000_000)!),
            .delay(.milliseconds(300), jitter: .init(amount: .milliseconds(20))),
            .loss(.independent(Probability(0.005)!)),
        ])
        return LinkProfile(
            name: "satellite",
            summary: "A geostationary satellite link.",
            source:
                "The `satellite-geo` preset of patchbay: 300 ms ± 20 ms one-way, 0.5 % loss, 25 Mbit/s; unmeasured there.",
            downlink: eachWay, uplink: eachWay)
    }()
}
