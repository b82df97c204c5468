import LinkEmulator

extension LinkProfile {
    /// Wi-Fi that is associated and has an address and a route, but delivers no packets.
    package static let lieFi: LinkProfile = {
        let eachWay = Condition([.filter([PacketRule(action: .drop)])])
        return LinkProfile(
            name: "lie-fi",
            summary:
                "Up with an address and routes, but every packet is dropped before the link, not lost on it as in lossy-100.",
            source: """
                Chosen by us; `lie-fi` is the popular word for Wi-Fi whose access point works while its uplink does not. \
                No delay and no rate.
                """,
            downlink: eachWay, uplink: eachWay)
    }()
}
