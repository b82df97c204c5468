/// Which requests may share a connection: those for the same origin by the same route with the same demands on TLS.
package struct ConnectionKey: Hashable, Sendable {
    /// Lower case, without brackets.
    package let host: String
    package let port: Int
    package let isSecure: Bool
    /// How the origin is reached: empty for directly, otherwise a text that is the same for the same proxy.
    package let route: String
    /// Anything else that must be equal: TLS bounds, client identity, the session's partition.
    package let partition: String

    package init(host: String, port: Int, isSecure: Bool, route: String = "", partition: String = "") {
        self.host = host.lowercased()
        self.port = port
        self.isSecure = isSecure
        self.route = route
        self.partition = partition
    }
}

/// A connection as the pool numbers it; a number is never used twice in one session.
package struct ConnectionID: Hashable, Sendable, Comparable {
    package let number: Int
    package init(_ number: Int) { self.number = number }

    package static func < (left: ConnectionID, right: ConnectionID) -> Bool { left.number < right.number }
}

/// A request that wants a connection; whoever asks chooses the number and uses it once.
package struct PoolRequestID: Hashable, Sendable {
    package let number: Int
    package init(_ number: Int) { self.number = number }
}
