import LinkEmulator

extension LinkProfile {
    /// Every packet is lost while the interface stays up.
    package static let lossyHundred: LinkProfile = {
        let eachWay = Condition([
            .loss(.independent(.certain))
        ])
        return LinkProfile(
            name: "lossy-100",
            summary: "Everything is lost while the interface stays up.",
            source: "Network Link Conditioner's `100% Loss`, by its name; no delay and no rate.",
            downlink: eachWay, uplink: eachWay)
    }()
}
