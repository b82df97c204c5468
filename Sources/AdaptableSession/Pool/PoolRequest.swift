/// What a request asks of the pool.
package struct PoolRequest: Sendable, Equatable {
    package let id: PoolRequestID
    package let key: ConnectionKey
    /// The task: a connection pinned for it is open to its requests alone.
    package var owner: Int
    /// 0…1, as of a task.
    package var priority: Float
    /// A retry after a lost connection, or after 421: only one with a higher number was made since and will do.
    package var newerThan: ConnectionID?
    /// Interfaces with any of these are closed to it.
    package var forbids: PathTraits

    package init(
        _ id: PoolRequestID, key: ConnectionKey, owner: Int, priority: Float = 0.5, newerThan: ConnectionID? = nil,
        forbids: PathTraits = []
    ) {
        self.id = id
        self.key = key
        self.owner = owner
        self.priority = priority
        self.newerThan = newerThan
        self.forbids = forbids
    }
}

/// What the pool wants done.
package enum PoolAction: Equatable, Sendable {
    /// Make this connection. `request` is the one whose demands (forbidden interfaces, TLS) it obeys and who hears if it fails.
    case connect(ConnectionID, ConnectionKey, request: PoolRequestID)
    /// Send the request on this connection. `isReused`: it has served another request before.
    case start(PoolRequestID, ConnectionID, isReused: Bool)
    /// The connection for this request could not be made; it is no longer in the pool. It may be asked for again.
    case failed(PoolRequestID)
    /// Close the connection (or give up making it); the pool has forgotten it and expects no further word of it.
    case close(ConnectionID)
}

/// What was agreed on a connection.
package enum PoolProtocol: Hashable, Sendable {
    case http1
    /// With how many streams the peer allows at once.
    case http2(streams: Int)
}
