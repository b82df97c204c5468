import LinkEmulator

extension LinkProfile {
    /// A cable line.
    package static let cable = LinkProfile(
        name: "cable",
        summary: "A cable line.",
        source: "Augmented Traffic Control (Facebook), `Cable`: 6000/1000 kbit/s, 2 ms one-way in each direction.",
        downlink: Condition([
            .rate(BitRate(bitsPerSecond: 6_000_000)!),
            .delay(.milliseconds(2), jitter: nil),
        ]),
        uplink: Condition([
            .rate(BitRate(bitsPerSecond: 1_000_000)!),
            .delay(.milliseconds(2), jitter: nil),
        ]))
}
