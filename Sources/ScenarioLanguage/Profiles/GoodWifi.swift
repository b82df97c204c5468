import LinkEmulator

extension LinkProfile {
    /// Wi-Fi near its access point; the default for a scenario without a network.
    package static let goodWifi: LinkProfile = {
        let eachWay = Condition([
            .rate(BitRate(bitsPerSecond: 52_000_000)!),
            .delay(.milliseconds(5), jitter: .init(amount: .milliseconds(2))),
            .queue(bytes: ByteCount(1_950_000)!, packets: nil),
        ])
        return LinkProfile(
            name: "good-wifi",
            summary: "Wi-Fi near its access point; the default of a scenario without `network`.",
            source: """
                Rate and queue (300 ms): RFC 8869's Wi-Fi cases, 52 Mbit/s. Delay 5 ms ± 2 ms: the `wifi` preset of patchbay, \
                one-way, unmeasured there. No loss: chosen by us, because the radio repeats lost frames.
                """,
            downlink: eachWay, uplink: eachWay)
    }()
}
