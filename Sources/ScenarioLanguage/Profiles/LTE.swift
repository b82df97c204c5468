import LinkEmulator

extension LinkProfile {
    /// A good LTE connection.
    package static let lte: LinkProfile = {
        let eachWay = Condition([
            .rate(BitRate(bitsPerSecond: 12_000_000)!),
            .delay(.milliseconds(35), jitter: nil),
        ])
        return LinkProfile(
            name: "lte",
            summary: "A good LTE connection.",
            source:
                "WebPageTest's connectivity.ini, `LTE`: 12/12 Mbit/s, 70 ms round trip, of which half goes each way here.",
            downlink: eachWay, uplink: eachWay)
    }()
}
