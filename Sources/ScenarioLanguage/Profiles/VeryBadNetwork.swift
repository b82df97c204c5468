import LinkEmulator

extension LinkProfile {
    /// Low rate, high delay, and one packet in ten is lost.
    package static let veryBadNetwork: LinkProfile = {
        let eachWay = Condition([
            .rate(BitRate(bitsPerSecond: 1_000_000)!),
            .delay(.milliseconds(500), jitter: nil),
            .loss(.independent(Probability(0.1)!)),
        ])
        return LinkProfile(
            name: "very-bad-network",
            summary: "Slow, with high delay and 10 % loss.",
            source: """
                Public copies of Network Link Conditioner's `Very Bad Network`: 1 Mbit/s, 500 ms one-way, 10 % loss, each way. \
                Copies disagree (another says 400 ms and 5 %); these are the values of this project.
                """,
            downlink: eachWay, uplink: eachWay)
    }()
}
