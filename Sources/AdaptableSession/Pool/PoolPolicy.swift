/// How connections are shared between requests.
package struct PoolPolicy: Sendable, Equatable {
    /// Requests to one host share connections instead of opening one each (POOL-04).
    package var reusesConnections = true
    /// At most this many connections to one host; the configuration's `httpMaximumConnectionsPerHost` replaces it (POOL-01, POOL-08).
    package var connectionsPerHost = 6
    /// The limit counts each host on its own (POOL-03).
    package var limitIsPerHost = true
    /// While it is not known whether a server speaks HTTP/2, one handshake finds it out for everybody (H2-10).
    package var oneHandshakeFindsTheProtocol = true
    /// Concurrent requests share one HTTP/2 connection (H2-01).
    package var multiplexes = true
    /// The newest idle connection is used first: it is the least likely to have been closed by its server meanwhile.
    package var prefersNewestIdle = true
    /// An idle connection is closed after this many nanoseconds.
    package var idleTime: Int64 = 60_000_000_000
    /// Before a request goes out on a connection that was idle, the socket is checked for input: a connection that its server has closed,
    /// or on which something came unasked, is replaced, and nothing is lost.
    package var checksBeforeReuse = true
    /// A server's `Keep-Alive: timeout=` is undercut by this much, so that the close never crosses a request on the wire.
    package var keepAliveMargin: Int64 = 1_000_000_000
    /// A connection over an interface that a request forbids is not used by it (CONN-14).
    package var respectsForbiddenTraits = true
    /// An idle connection whose interface went is closed; its server cannot tell us that it is dead.
    package var closesIdleOnInterfaceLoss = true
    /// Among waiting requests the one of higher priority goes first (H2-12).
    package var ordersByPriority = true
    /// A connection that NTLM has authenticated belongs to its task until that one ends.
    package var respectsPinning = true

    package init() {}
}
