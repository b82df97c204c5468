/// The networks that are always known: each profile as a Wi-Fi or cellular network, and those below, which consist of
/// several parts.
enum BuiltInNetworks {
    static let all: [NamedNetwork] = ProfileCatalogue.all.map(network) + composed.map(network)

    /// The profiles of mobile networks; all others are used by Wi-Fi.
    static let cellular: Set<String> = ["lte", "3g", "edge", "5g", "tunnel", "elevator"]

    /// The reason that not every transfer survives on a profile.
    private static let interruptions: KeyValuePairs = [
        "lossy-100": "no packet arrives", "lie-fi": "no packet arrives", "tunnel": "gaps of up to 12 s",
        "elevator": "nothing passes for 8 s", "walk-out": "nothing passes from 12 s on",
        "high-latency-dns": "every name takes 3 s",
        "very-bad-network": "one packet of ten is lost, and a round trip takes 1 s",
    ]

    private static func network(_ profile: LinkProfile) -> NamedNetwork {
        let kind = cellular.contains(profile.name) ? "cellular" : "wifi"
        let interrupts = interruptions.first { $0.key == profile.name }.map { "\ninterrupts: \($0.value)" } ?? ""
        return network(
            profile.name,
            "summary: '\(profile.summary.replacing("'", with: "''"))'\nnetwork: { \(kind): \(profile.name) }"
                + interrupts)
    }

    private static func network(_ name: String, _ text: String) -> NamedNetwork {
        do throws(ScenarioErrors) {
            return try NamedNetwork.read(named: name, place: "built-in network \(name)", text: text)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    private static let composed: KeyValuePairs = [
        "nat64": """
        summary: Wi-Fi with IPv6 only; DNS64 and NAT64 lead to servers that have IPv4 only.
        network: { wifi: good-wifi, nat64: true }
        """,
        "nat64-lte": """
        summary: LTE with IPv6 only, DNS64 and NAT64, and a translator in the client for IPv4 addresses (464XLAT).
        network: { cellular: lte, nat64: { clat: true } }
        """,
        "ipv6-only": """
        summary: Wi-Fi with IPv6 only, to servers that have IPv6.
        network: { wifi: good-wifi, addresses: ipv6 }
        """,
        "ipv4-only": """
        summary: Wi-Fi with IPv4 only.
        network: { wifi: good-wifi, addresses: ipv4 }
        """,
        "wifi-then-cellular": """
        summary: Wi-Fi is lost before the first request, and LTE, which was there all the time, remains.
        network: { wifi: good-wifi, cellular: lte }
        timeline:
          - when: { sinceStart: 0s }
            set: { wifi: down }
        """,
        "train": """
        summary: Cellular reception of a train, from LTE to EDGE and back, with a tunnel of 600 ms.
        network: { cellular: lte }
        timeline:
          - when: { sinceStart: 500ms }
            set: { cellular: 3g }
          - when: { sinceStart: 1500ms }
            set: { cellular: edge }
          - when: { sinceStart: 2500ms }
            set: { cellular: lossy-100 }
          - when: { sinceStart: 3100ms }
            set: { cellular: lte }
        """,
    ]
}
