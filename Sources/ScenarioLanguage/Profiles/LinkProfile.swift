package import LinkEmulator

/// A named condition for both directions, with the source of its numbers.
package struct LinkProfile: Hashable, Sendable {
    package var name: String
    package var summary: String
    /// The publisher of the numbers, and the kind of delay it states: one-way or round trip.
    package var source: String
    /// Towards the client.
    package var downlink: Condition
    /// From the client.
    package var uplink: Condition
    /// The DNS rules of the network's name servers while the profile is used; a scenario's rule for the same host takes
    /// precedence.
    package var dnsRules: [DNSRule]
    /// The later conditions of `downlink` and `uplink`, in order of time.
    package var steps: [ProfileStep]

    package init(
        name: String, summary: String, source: String, downlink: Condition, uplink: Condition, dnsRules: [DNSRule] = [],
        steps: [ProfileStep] = []
    ) {
        self.name = name
        self.summary = summary
        self.source = source
        self.downlink = downlink
        self.uplink = uplink
        self.dnsRules = dnsRules
        self.steps = steps
    }

    /// The condition at the start.
    package var link: LinkPlan { LinkPlan(name: name, downlink: downlink, uplink: uplink) }
}

/// A change of the interface's condition at a time after the start.
package struct ProfileStep: Hashable, Sendable {
    package var after: Duration
    package var downlink: Condition
    package var uplink: Condition

    package init(after: Duration, downlink: Condition, uplink: Condition) {
        self.after = after
        self.downlink = downlink
        self.uplink = uplink
    }
}
