import LinkEmulator

extension LinkProfile {
    /// Wi-Fi that works, with loss in bursts and a short drop-out every four seconds.
    package static let flakyWifi: LinkProfile = {
        let eachWay = Condition([
            .rate(BitRate(bitsPerSecond: 20_000_000)!),
            .delay(.milliseconds(10), jitter: .init(amount: .milliseconds(8))),
            .loss(
                .gilbertElliott(p: Probability(0.00408)!, r: Probability(0.2)!, lossInBad: .certain, lossInGood: .zero)),
            .outages(every: .seconds(4), lasting: .milliseconds(400)),
        ])
        return LinkProfile(
            name: "flaky-wifi",
            summary: "Wi-Fi that works, loses bursts, and drops out for a moment every four seconds.",
            source: """
                Chosen by us; no authoritative numbers were found. Loss comes in bursts of 5 packets on average (1/r) with a \
                mean of 2 % (p = r · 0.02 / 0.98). Drop-outs of 400 ms are the long end of what is quoted for Wi-Fi roams (60 \
                to 400 ms; Mishra et al. 2003). Delay 10 ms ± 8 ms one-way.
                """,
            downlink: eachWay, uplink: eachWay)
    }()
}
