/// The limits beyond which a client floods the origin.
package struct OriginLimits: Hashable, Sendable {
    /// Requests and connections over the whole run; more are still served, and reported once.
    package var requests: Int
    package var connections: Int
    /// Connections at the same time; more are reset immediately, because each uses memory.
    package var openConnections: Int
    package init(requests: Int = 10_000, connections: Int = 10_000, openConnections: Int = 2_000) {
        self.requests = requests
        self.connections = connections
        self.openConnections = openConnections
    }
}

/// A limit that a client has just exceeded.
package struct OriginFlood: Hashable, Sendable {
    package enum Kind: Hashable, Sendable { case requests, connections, openConnections }
    package var kind: Kind
    package var limit: Int
    package init(kind: Kind, limit: Int) {
        self.kind = kind
        self.limit = limit
    }
}
