/// A named condition for both directions, with where its numbers come from.
package struct LinkProfile: Hashable, Sendable {
    package var name: String
    package var summary: String
    /// Who published the numbers, and whether delay was stated one-way or as a round trip.
    package var source: String
    /// Towards the client.
    package var downlink: Condition
    /// From the client.
    package var uplink: Condition
    /// What the network's name servers answer while it is used; a scenario's own rule for the same host goes first.
    package var dnsRules: [DNSRule]
    /// What `down` and `up` become as time passes, in order of time.
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

/// The interface's condition changes to these so long after the start.
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
