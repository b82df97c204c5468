import LinkEmulator

extension LinkProfile {
    /// A link without faults whose name servers take three seconds to reply.
    package static let highLatencyDNS = LinkProfile(
        name: "high-latency-dns",
        summary: "A perfect link whose DNS servers take three seconds to reply.",
        source: """
            Network Link Conditioner's `High Latency DNS`: 3000 ms for DNS replies and no limit otherwise. The time is that of \
            the whole reply, neither one-way nor a round trip of the link.
            """,
        downlink: .perfect,
        uplink: .perfect,
        dnsRules: [DNSRule(host: "*", content: .origin, delay: .seconds(3))])
}
