import LinkEmulator

extension LinkProfile {
    /// A DSL line.
    package static let dsl = LinkProfile(
        name: "dsl",
        summary: "A DSL line.",
        source: "Augmented Traffic Control (Facebook), `DSL`: 2000/256 kbit/s, 5 ms one-way in each direction.",
        downlink: Condition([
            .rate(BitRate(bitsPerSecond: 2_000_000)!),
            .delay(.milliseconds(5), jitter: nil),
        ]),
        uplink: Condition([
            .rate(BitRate(bitsPerSecond: 256_000)!),
            .delay(.milliseconds(5), jitter: nil),
        ]))
}
