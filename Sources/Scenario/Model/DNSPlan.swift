/// What the lab's name servers answer, and what the client's resolver is told of them.
package struct DNSPlan: Hashable, Sendable {
    package var rules: [DNSRule] = []
    package var resolver = ResolverPlan()
    package init() {}
}

/// The answers for one host name; `*` stands for every name without a rule of its own.
package struct DNSRule: Hashable, Sendable {
    package typealias Content = DNSReply.Content
    package var host: String
    /// Only the name server of this interface's network answers so; nil: all of them. A rule for all of them replaces whatever
    /// single ones answered before.
    package var interface: InterfaceKind?
    /// What the first queries of each type get; afterwards `reply`.
    package var sequence: [Variant]
    package var reply: DNSReply

    package struct Variant: Hashable, Sendable {
        package var reply: DNSReply
        package var times: Int
        package init(_ reply: DNSReply, times: Int = 1) {
            self.reply = reply
            self.times = times
        }
    }

    package init(host: String, interface: InterfaceKind? = nil, sequence: [Variant] = [], reply: DNSReply) {
        self.host = host
        self.interface = interface
        self.sequence = sequence
        self.reply = reply
    }

    package init(host: String, content: Content, delay: Duration? = nil) {
        self.init(host: host, reply: DNSReply(content: content, delay: delay))
    }

    package var content: Content { reply.content }
    package var delay: Duration? { reply.delay }

    /// The same rule where `origin` stands for these addresses.
    package func replacingOrigin(with addresses: [String]) -> DNSRule {
        var rule = self
        rule.reply = reply.replacingOrigin(with: addresses)
        rule.sequence = sequence.map { Variant($0.reply.replacingOrigin(with: addresses), times: $0.times) }
        return rule
    }
}
