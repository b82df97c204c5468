/// The properties that requests must have in common to share a connection: the origin, the route to it and the TLS
/// settings.
package struct ConnectionKey: Hashable, Sendable {
    /// Lower case, without brackets.
    package let host: String
    package let port: Int
    package let isSecure: Bool
    /// The route to the origin: empty for a direct connection, otherwise a text that is the same for the same proxy.
    package let route: String
    /// Other properties that must be equal: TLS version bounds, client identity, the session's partition.
    package let partition: String

    package init(host: String, port: Int, isSecure: Bool, route: String = "", partition: String = "") {
        self.host = host.lowercased()
        self.port = port
        self.isSecure = isSecure
        self.route = route
        self.partition = partition
    }

    /// Returns true if connections of both count towards the same limit.
    func isSameServer(as other: ConnectionKey) -> Bool {
        host == other.host && port == other.port && isSecure == other.isSecure && route == other.route
    }
}

/// The pool's number of a connection, unique within one session.
package struct ConnectionID: Hashable, Sendable, Comparable {
    package let number: Int
    package init(_ number: Int) { self.number = number }

    package static func < (left: ConnectionID, right: ConnectionID) -> Bool { left.number < right.number }
}

/// The number of a request that needs a connection. The caller chooses it and uses it once.
package struct PoolRequestID: Hashable, Sendable {
    package let number: Int
    package init(_ number: Int) { self.number = number }
}
