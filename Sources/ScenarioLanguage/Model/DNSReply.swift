/// One reply of a name server: its content, its delay, and the defects of its message.
package struct DNSReply: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        /// The origin's addresses, in the address families of the network; for `ipv4only.arpa` those of RFC 7050.
        case origin
        /// These literal addresses, A or AAAA by their form; if empty, the name exists without an address.
        case addresses([String])
        case nxdomain, servfail, refused
        /// The server accepts the query and never replies: a dead name service.
        case silent
    }

    /// The query types for which a reply can make an exception.
    package enum QueryType: String, CaseIterable, Hashable, Sendable { case a, aaaa }

    /// A defect of the message that carries the reply. UDP defects do not affect replies over TCP.
    package enum Malformation: String, CaseIterable, Hashable, Sendable {
        /// UDP: only the TC bit is set; the whole reply is available over TCP (RFC 7766 §5).
        case truncated
        /// UDP: larger than the size that the client advertised, and larger than a packet.
        case oversized
        /// UDP: sent from a different address than the queried one.
        case fromElsewhere = "wrongSource"
        case wrongIdentifier
        /// The question section of the reply differs from the query.
        case wrongQuestion
        /// The header counts one record more than the message contains.
        case malformed = "wrongCount"
        /// The bytes after the identifier are not a valid message.
        case garbage
    }

    /// The treatment of a query over TCP.
    package enum TCPReply: String, CaseIterable, Hashable, Sendable {
        case answered = "reply"
        case silent
        /// The connection is reset after the query has arrived.
        case reset
    }

    package var content: Content
    package var delay: Duration?
    /// The TTL in seconds; nil means 0, so that the next query sees a change.
    package var timeToLive: UInt32?
    /// CNAMEs that lead to the addresses, in order; a repeated alias, or the name itself, makes a loop without
    /// addresses.
    package var aliases: [String]
    package var malformation: Malformation?
    package var overTCP: TCPReply
    /// Different replies for single query types.
    package var exceptions: [QueryType: DNSReply]

    package init(
        content: Content = .origin, delay: Duration? = nil, timeToLive: UInt32? = nil, aliases: [String] = [],
        malformation: Malformation? = nil,
        overTCP: TCPReply = .answered, exceptions: [QueryType: DNSReply] = [:]
    ) {
        self.content = content
        self.delay = delay
        self.timeToLive = timeToLive
        self.aliases = aliases
        self.malformation = malformation
        self.overTCP = overTCP
        self.exceptions = exceptions
    }

    func replacingOrigin(with addresses: [String]) -> DNSReply {
        var reply = self
        if content == .origin { reply.content = .addresses(addresses) }
        reply.exceptions = exceptions.mapValues { $0.replacingOrigin(with: addresses) }
        return reply
    }
}
