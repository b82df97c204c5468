import LinkEmulator

extension LinkProfile {
    /// A hotel's Wi-Fi before the login: every name resolves to the portal.
    ///
    /// The profile covers only the DNS replies. The origin provides the portal's responses, a redirect or status 511,
    /// to every request; Scenarios/names/captive-portal.yaml shows both.
    package static let captivePortal: LinkProfile = {
        let eachWay = Condition([
            .rate(BitRate(bitsPerSecond: 10_000_000)!),
            .delay(.milliseconds(15), jitter: .init(amount: .milliseconds(5))),
        ])
        // The lab's origin acts as the portal; a TTL of 0 lets the client see the correct reply after the login.
        let portal = DNSReply(content: .addresses(["203.0.113.10"]), timeToLive: 0)
        return LinkProfile(
            name: "captive-portal",
            summary: "A hotel's Wi-Fi before login: every name resolves to the portal.",
            source: """
                Chosen by us: 10 Mbit/s, 15 ms ± 5 ms one-way. Resolving every name to the portal's address is one of the ways \
                in which portals intercept clients.
                """,
            downlink: eachWay, uplink: eachWay,
            dnsRules: [DNSRule(host: "*", reply: portal)])
    }()
}
