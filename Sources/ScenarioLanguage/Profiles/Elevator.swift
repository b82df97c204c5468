import LinkEmulator

extension LinkProfile {
    /// An elevator ride: a good signal, none inside, a slow one, and a good one again.
    package static let elevator: LinkProfile = {
        func good(_ megabits: UInt64) -> Condition {
            Condition([
                .rate(BitRate(bitsPerSecond: megabits * 1_000_000)!),
                .delay(.milliseconds(40), jitter: .init(amount: .milliseconds(10))),
            ])
        }
        let gone = Condition([.loss(.independent(.certain))])
        func slow(_ kilobits: UInt64, _ milliseconds: Int) -> Condition {
            Condition([
                .rate(BitRate(bitsPerSecond: kilobits * 1_000)!),
                .delay(.milliseconds(milliseconds), jitter: nil),
            ])
        }
        return LinkProfile(
            name: "elevator",
            summary: "An elevator ride: good for 3 s, nothing for 8 s, slow for 4 s, then good again.",
            source: """
                Chosen by us: 10/5 Mbit/s and 40 ms ± 10 ms one-way outside, everything lost from 3 to 11 s. From 11 to 15 s the \
                numbers of Augmented Traffic Control's `Edge - Average`: 240/200 kbit/s, 400 ms down and 440 ms up, one-way.
                """,
            downlink: good(10), uplink: good(5),
            steps: [
                ProfileStep(after: .seconds(3), downlink: gone, uplink: gone),
                ProfileStep(after: .seconds(11), downlink: slow(240, 400), uplink: slow(200, 440)),
                ProfileStep(after: .seconds(15), downlink: good(10), uplink: good(5)),
            ])
    }()
}
