package struct DNSFact: Hashable, Sendable {
    package enum Transport: String, CaseIterable, Hashable, Sendable { case udp, tcp }

    /// The reason why a query got no usable reply; the raw value is the word in the record.
    package enum Failure: String, CaseIterable, Hashable, Sendable {
        // Response codes (RFC 1035 §4.1.1, RFC 6891 §9).
        case nxdomain, servfail, refused, formerr, notimp, badvers
        /// An alias that leads back to itself.
        case loop
        /// The connection of the query was reset.
        case reset
        /// No reply was sent.
        case silent
        /// The message was not a query.
        case ignored
    }

    package var host: String
    /// A, AAAA, … or TYPEn.
    package var type: String
    /// The reply as text: addresses, nxdomain, silent…
    package var reply: String
    package var client: String
    /// nil in records older than this field, like the fields below.
    package var transport: Transport?
    /// The queried address.
    package var server: String?
    /// The TTL in seconds; nil if the reply contains no record with a TTL.
    package var timeToLive: UInt32?
    /// The delay of the reply in nanoseconds.
    package var delay: Int64?
    /// nil for a reply with records, and for a name without records of the type, which is ordinary.
    package var failure: Failure?
    package init(
        host: String, type: String, reply: String, client: String, transport: Transport? = nil, server: String? = nil,
        timeToLive: UInt32? = nil, delay: Int64? = nil, failure: Failure? = nil
    ) {
        self.host = host
        self.type = type
        self.reply = reply
        self.client = client
        self.transport = transport
        self.server = server
        self.timeToLive = timeToLive
        self.delay = delay
        self.failure = failure
    }
}
