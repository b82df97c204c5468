import LinkEmulator

extension LinkProfile {
    /// Wi-Fi while the user walks out of the house: rate falls and loss rises with every step, until no packet passes.
    package static let walkOut: LinkProfile = {
        func fading(_ megabits: UInt64, _ milliseconds: Int, _ loss: Double) -> Condition {
            Condition([
                .rate(BitRate(bitsPerSecond: megabits * 1_000_000)!),
                .delay(.milliseconds(milliseconds), jitter: .init(amount: .milliseconds(milliseconds / 3))),
                .loss(.independent(Probability(loss)!)),
            ])
        }
        let nothing = Condition([.loss(.independent(.certain))])
        func step(_ seconds: Int, _ condition: Condition) -> ProfileStep {
            ProfileStep(after: .seconds(seconds), downlink: condition, uplink: condition)
        }
        return LinkProfile(
            name: "walk-out",
            summary: "Wi-Fi while leaving the house: slower and lossier step by step, nothing after 12 s.",
            source: """
                Chosen by us: from 50 Mbit/s, 5 ms one-way and no loss to 1 Mbit/s, 60 ms one-way and 20 % loss within 12 s, \
                with jitter of a third of the delay, and then nothing. \
                Add a cellular interface to the scenario so that the client can switch to it.
                """,
            downlink: fading(50, 5, 0), uplink: fading(50, 5, 0),
            steps: [
                step(3, fading(20, 10, 0.01)), step(6, fading(5, 25, 0.05)), step(9, fading(1, 60, 0.2)),
                step(12, nothing),
            ])
    }()
}
