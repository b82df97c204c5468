/// A request for a connection.
package struct PoolRequest: Sendable, Equatable {
    package let id: PoolRequestID
    package let key: ConnectionKey
    /// The task's number. A connection reserved for a task serves only that task's requests.
    package var owner: Int
    /// The task's priority, 0…1.
    package var priority: Float = 0.5
    /// For a retry after a lost connection or a 421 response: only connections with a higher number may serve it.
    package var newerThan: ConnectionID?
    /// The request must not use an interface with any of these traits.
    package var forbids: PathTraits = []
    /// The request may be sent on an HTTP/1.1 connection while responses to earlier ones are outstanding, and such
    /// requests behind it.
    package var mayPipeline = false
}

/// An action that the pool's caller performs.
package enum PoolAction: Equatable, Sendable {
    /// Open this connection. `request` is the request whose restrictions (forbidden interfaces, TLS) apply and which
    /// fails if the attempt fails.
    case connect(ConnectionID, ConnectionKey, request: PoolRequestID)
    /// Send the request on this connection. `isReused`: it has served another request before.
    case start(PoolRequestID, ConnectionID, isReused: Bool)
    /// The connection for this request could not be opened; the request has left the pool and may be submitted
    /// again.
    case failed(PoolRequestID)
    /// Close the connection, or cancel the attempt to open it. The pool has removed it and expects no further events
    /// for it.
    case close(ConnectionID)
}

/// The protocol that was negotiated for a connection.
package enum PoolProtocol: Hashable, Sendable {
    case http1
    /// `streams` is the number of concurrent streams that the peer allows.
    case http2(streams: Int)

    func limited(_ policy: PoolPolicy) -> PoolProtocol {
        switch self {
        case .http1: .http1
        case .http2(let streams): .http2(streams: policy.multiplexes ? streams : min(1, streams))
        }
    }
}
