import LinkEmulator

extension LinkProfile {
    /// A train on a route with tunnels: good cellular reception outside, none inside.
    package static let tunnel: LinkProfile = {
        func direction(megabits: UInt64) -> Condition {
            Condition([
                .rate(BitRate(bitsPerSecond: megabits * 1_000_000)!),
                .delay(.milliseconds(40), jitter: .init(amount: .milliseconds(10))),
                .outages(
                    .windows([
                        .init(from: .seconds(4), lasting: .seconds(5)),
                        .init(from: .seconds(15), lasting: .seconds(3)),
                        .init(from: .seconds(30), lasting: .seconds(12)),
                    ])),
            ])
        }
        return LinkProfile(
            name: "tunnel",
            summary: "A train ride through tunnels: good cellular outside, nothing inside.",
            source: """
                Chosen by us: 20/8 Mbit/s, 40 ms ± 10 ms one-way, and tunnels of 5, 3 and 12 s, 4, 15 and 30 s after the start; \
                at 120 km/h they are about 170, 100 and 400 m long.
                """,
            downlink: direction(megabits: 20), uplink: direction(megabits: 8))
    }()
}
