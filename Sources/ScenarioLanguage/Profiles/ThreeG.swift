import LinkEmulator

extension LinkProfile {
    /// An average 3G connection.
    package static let threeG = LinkProfile(
        name: "3g",
        summary: "An average 3G connection.",
        source:
            "Augmented Traffic Control (Facebook), `3G - Average`: 780/330 kbit/s, 100 ms one-way in each direction.",
        downlink: Condition([
            .rate(BitRate(bitsPerSecond: 780_000)!),
            .delay(.milliseconds(100), jitter: nil),
        ]),
        uplink: Condition([
            .rate(BitRate(bitsPerSecond: 330_000)!),
            .delay(.milliseconds(100), jitter: nil),
        ]))
}
