package import Record

/// The replies of the lab's name servers, and the configuration of the client's resolver.
package struct DNSPlan: Hashable, Sendable {
    package var rules: [DNSRule] = []
    package var resolver = ResolverPlan()
    package init() {}
}

/// The replies for one host name; `*` matches every name without a rule.
package struct DNSRule: Hashable, Sendable {
    package typealias Content = DNSReply.Content
    package var host: String
    /// The interface on whose network the name server replies this way; nil: every name server. A rule for all
    /// interfaces replaces earlier rules for single ones.
    package var interface: InterfaceKind?
    /// Replies to the first queries of each type; after them, `reply` is used.
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

    /// Returns the same rule with `origin` replaced by these addresses.
    package func replacingOrigin(with addresses: [String]) -> DNSRule {
        var rule = self
        rule.reply = reply.replacingOrigin(with: addresses)
        rule.sequence = sequence.map { Variant($0.reply.replacingOrigin(with: addresses), times: $0.times) }
        return rule
    }
}
