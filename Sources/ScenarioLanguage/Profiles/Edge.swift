import LinkEmulator

extension LinkProfile {
    /// An average EDGE connection.
    package static let edge = LinkProfile(
        name: "edge",
        summary: "An average EDGE connection.",
        source:
            "Augmented Traffic Control (Facebook), `Edge - Average`: 240/200 kbit/s, 400 ms down and 440 ms up, one-way.",
        downlink: Condition([
            .rate(BitRate(bitsPerSecond: 240_000)!),
            .delay(.milliseconds(400), jitter: nil),
        ]),
        uplink: Condition([
            .rate(BitRate(bitsPerSecond: 200_000)!),
            .delay(.milliseconds(440), jitter: nil),
        ]))
}
