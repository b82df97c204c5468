/// Beyond these numbers a client floods the origin.
package struct OriginLimits: Hashable, Sendable {
    /// Requests and connections over the whole run; more are still served, and told once.
    package var requests: Int
    package var connections: Int
    /// Connections at one time; more are reset at once, because each costs memory.
    package var openConnections: Int
    package init(requests: Int = 10_000, connections: Int = 10_000, openConnections: Int = 2_000) {
        self.requests = requests
        self.connections = connections
        self.openConnections = openConnections
    }
}

/// A limit that a client has just passed.
package struct OriginFlood: Hashable, Sendable {
    package enum Kind: Hashable, Sendable { case requests, connections, openConnections }
    package var kind: Kind
    package var limit: Int
    package init(kind: Kind, limit: Int) {
        self.kind = kind
        self.limit = limit
    }
}
