import LinkEmulator

extension LinkProfile {
    /// A good 5G connection.
    package static let fiveG: LinkProfile = {
        func direction(megabits: UInt64) -> Condition {
            Condition([
                .rate(BitRate(bitsPerSecond: megabits * 1_000_000)!),
                .delay(.milliseconds(12), jitter: .init(amount: .milliseconds(3))),
            ])
        }
        return LinkProfile(
            name: "5g",
            summary: "A good 5G connection.",
            source: """
                Chosen by us; no authoritative table was found. 100/20 Mbit/s and 12 ms ± 3 ms one-way stand for mid-band 5G \
                in good coverage; no loss, because the radio repeats lost frames.
                """,
            downlink: direction(megabits: 100), uplink: direction(megabits: 20))
    }()
}
