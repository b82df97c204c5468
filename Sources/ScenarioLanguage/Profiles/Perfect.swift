import LinkEmulator

extension LinkProfile {
    /// An ideal wire: no delay, no loss, no limit.
    package static let perfect = LinkProfile(
        name: "perfect",
        summary: "An ideal wire: no delay, no loss, no limit.",
        source: "Chosen by us: the lab without any condition.",
        downlink: .perfect,
        uplink: .perfect)
}
