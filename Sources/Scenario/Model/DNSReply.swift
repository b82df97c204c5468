/// One answer of a name server: what it says, when, and what is wrong with the message that says it.
package struct DNSReply: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        /// The origin's addresses, in the families the network has.
        case origin
        /// These literal addresses, A or AAAA by their form; none at all: the name exists without an address.
        case addresses([String])
        case nxdomain, servfail, refused
        /// The server takes the query and never answers: a dead name service.
        case silent
    }

    /// The types for which a reply can make an exception.
    package enum QueryType: String, CaseIterable, Hashable, Sendable { case a, aaaa }

    /// What is wrong with the message that carries the answer. Faults of UDP do not show in answers over TCP.
    package enum Malformation: String, CaseIterable, Hashable, Sendable {
        /// UDP: nothing but the TC bit; the whole answer is to be had over TCP (RFC 7766 §5).
        case truncated
        /// UDP: larger than the client said it takes, and than a packet.
        case oversized
        /// UDP: from another address than the one that was asked.
        case fromElsewhere = "wrongSource"
        case wrongIdentifier
        /// The question in the answer is another one.
        case wrongQuestion
        /// The header counts one record more than there is.
        case malformed = "wrongCount"
        /// Nothing after the identifier makes sense.
        case garbage
    }

    /// What becomes of a query over TCP.
    package enum TCPReply: String, CaseIterable, Hashable, Sendable {
        case answered = "reply"
        case silent
        /// The connection is reset once the query has come.
        case reset
    }

    package var content: Content
    package var delay: Duration?
    /// Seconds that the answer may be kept; nil is none, so that a change is seen by the next query.
    package var timeToLive: UInt32?
    /// CNAMEs on the way to the addresses, in order; one that comes twice, or the name itself, makes a loop without addresses.
    package var aliases: [String]
    package var malformation: Malformation?
    package var overTCP: TCPReply
    /// Other replies for single types.
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
