import LinkEmulator

extension LinkProfile {
    /// Wi-Fi at the edge of its range: low rate, high delay and loss all the time.
    package static let poorWifi: LinkProfile = {
        let eachWay = Condition([
            .rate(BitRate(bitsPerSecond: 20_000_000)!),
            .delay(.milliseconds(40), jitter: .init(amount: .milliseconds(15))),
            .loss(.independent(Probability(0.02)!)),
        ])
        return LinkProfile(
            name: "poor-wifi",
            summary: "Wi-Fi at the edge of its range: slow, late and lossy all the time.",
            source: "The `wifi-bad` preset of patchbay: 40 ms ± 15 ms one-way, 2 % loss, 20 Mbit/s; unmeasured there.",
            downlink: eachWay, uplink: eachWay)
    }()
}
