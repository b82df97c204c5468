import LinkEmulator

extension LinkProfile {
    /// A link over satellites in low Earth orbit.
    package static let satelliteLEO: LinkProfile = {
        func direction(megabits: UInt64) -> Condition {
            Condition([
                .rate(BitRate(bitsPerSecond: megabits * 1_000_000)!),
                .delay(.milliseconds(30), jitter: .init(amount: .milliseconds(8))),
                .loss(.independent(Probability(0.025)!)),
            ])
        }
        return LinkProfile(
            name: "satellite-leo",
            summary: "A link over satellites in low Earth orbit.",
            source: """
                Rates and delay chosen by us: 100/10 Mbit/s; 30 ms ± 8 ms one-way lie between the 20 and 40 ms that are half \
                of the round trip commonly reported for Starlink. 2.5 % loss each way is a third party's table, not the operator's, \
                and higher than what many measure.
                """,
            downlink: direction(megabits: 100), uplink: direction(megabits: 10))
    }()
}
