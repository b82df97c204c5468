/// What the lab's name servers answer, and what the client's resolver is told of them.
package struct NamePlan: Hashable, Sendable {
    package var rules: [NameRule] = []
    package var resolver = ResolverPlan()
    package init() {}
}

/// The answers for one host name; `*` stands for every name without a rule of its own.
package struct NameRule: Hashable, Sendable {
    package typealias Answer = NameReply.Answer
    package var host: String
    /// Only the name server of this interface's network answers so; nil: all of them. A rule for all of them replaces whatever
    /// single ones answered before.
    package var interface: InterfaceKind?
    /// What the first queries of each type get; afterwards `reply`.
    package var turns: [Turn]
    package var reply: NameReply

    package struct Turn: Hashable, Sendable {
        package var reply: NameReply
        package var times: Int
        package init(_ reply: NameReply, times: Int = 1) {
            self.reply = reply
            self.times = times
        }
    }

    package init(host: String, interface: InterfaceKind? = nil, turns: [Turn] = [], reply: NameReply) {
        self.host = host
        self.interface = interface
        self.turns = turns
        self.reply = reply
    }

    package init(host: String, answer: Answer, delay: Duration? = nil) {
        self.init(host: host, reply: NameReply(answer: answer, delay: delay))
    }

    package var answer: Answer { reply.answer }
    package var delay: Duration? { reply.delay }

    /// The same rule where `origin` stands for these addresses.
    package func replacingOrigin(with addresses: [String]) -> NameRule {
        var rule = self
        rule.reply = reply.replacingOrigin(with: addresses)
        rule.turns = turns.map { Turn($0.reply.replacingOrigin(with: addresses), times: $0.times) }
        return rule
    }
}
