import LinkEmulator

extension LinkProfile {
    /// Wi-Fi that works, with loss in bursts and a short drop-out every four seconds.
    package static let flakyWifi: LinkProfile = {
        let eachWay = Condition([
            .rate(BitRate(bitsPerSecond: 20_000_000)!),
            .delay(.milliseconds(10), jitter: .init(amount: .milliseconds(8))),
            .loss(
                .fading(
                    good: .milliseconds(2400), bad: .milliseconds(100), lossInBad: Probability(0.5)!, lossInGood: .zero)
            ),
            .outages(every: .seconds(4), lasting: .milliseconds(400)),
        ])
        return LinkProfile(
            name: "flaky-wifi",
            summary: "Wi-Fi that works, loses bursts, and drops out for a moment every four seconds.",
            source: """
                Chosen by us; no authoritative numbers were found. Half of all packets are lost in fades of 100 ms on average, \
                which come every 2.5 s: 2 % in all. Failures of radio links were found independent after a pause of 500 ms \
                (Srinivasan et al. 2008, The β-factor), so a fade seldom lasts that long. Drop-outs of 400 ms are the long end of what is quoted for Wi-Fi roams (60 \
                to 400 ms; Mishra et al. 2003). Delay 10 ms ± 8 ms one-way.
                """,
            downlink: eachWay, uplink: eachWay)
    }()
}
