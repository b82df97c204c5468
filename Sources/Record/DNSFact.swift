package struct DNSFact: Hashable, Sendable {
    package enum Transport: String, CaseIterable, Hashable, Sendable { case udp, tcp }

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
    package init(
        host: String, type: String, reply: String, client: String, transport: Transport? = nil, server: String? = nil,
        timeToLive: UInt32? = nil, delay: Int64? = nil
    ) {
        self.host = host
        self.type = type
        self.reply = reply
        self.client = client
        self.transport = transport
        self.server = server
        self.timeToLive = timeToLive
        self.delay = delay
    }
}
