/// A named condition for both directions, with where its numbers come from.
package struct LinkProfile: Hashable, Sendable {
    package var name: String
    package var summary: String
    /// Who published the numbers, and whether delay was stated one-way or as a round trip.
    package var source: String
    /// Towards the client.
    package var down: Condition
    /// From the client.
    package var up: Condition
    /// What the network's name servers answer while it is used; a scenario's own rule for the same host goes first.
    package var names: [NameRule]
    /// What `down` and `up` become as time passes, in order of time.
    package var steps: [ProfileStep]

    package init(
        name: String, summary: String, source: String, down: Condition, up: Condition, names: [NameRule] = [],
        steps: [ProfileStep] = []
    ) {
        self.name = name
        self.summary = summary
        self.source = source
        self.down = down
        self.up = up
        self.names = names
        self.steps = steps
    }

    /// The condition at the start.
    package var link: LinkPlan { LinkPlan(name: name, down: down, up: up) }
}

/// The interface's condition changes to these so long after the start.
package struct ProfileStep: Hashable, Sendable {
    package var after: Duration
    package var down: Condition
    package var up: Condition

    package init(after: Duration, down: Condition, up: Condition) {
        self.after = after
        self.down = down
        self.up = up
    }
}
