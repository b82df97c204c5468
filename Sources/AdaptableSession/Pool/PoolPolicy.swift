/// The rules for sharing connections between requests.
package struct PoolPolicy: Sendable, Equatable {
    /// Reuse connections for requests to the same host instead of opening one each (POOL-04).
    package var reusesConnections = true
    /// The maximum number of connections per host; the configuration's `httpMaximumConnectionsPerHost` replaces it
    /// (POOL-01, POOL-08).
    package var connectionsPerHost = 6
    /// Take that limit from the configuration (POOL-01).
    package var limitIsConfigured = true
    /// Count the limit for each host separately (POOL-03).
    package var limitIsPerHost = true
    /// While it is unknown whether a server supports HTTP/2, open one connection and let the other requests wait for
    /// its ALPN result (H2-10).
    package var oneHandshakeFindsTheProtocol = true
    /// Send concurrent requests over one HTTP/2 connection (H2-01).
    package var multiplexes = true
    /// Do not use a connection over an interface that the request forbids (CONN-14).
    package var respectsForbiddenTraits = true
    /// Close idle connections when their interface disappears; the server cannot report that they are dead.
    package var closesIdleOnInterfaceLoss = true
    /// Serve waiting requests by priority (H2-12).
    package var ordersByPriority = true
    /// The number of requests that may be outstanding on a connection if they allow pipelining (POOL-06).
    package var pipelineDepth = 4
    /// Pipeline only requests that allow it (POOL-05).
    package var pipelinesOnRequest = true
    /// Reserve an NTLM-authenticated connection for its task until the task ends.
    package var respectsPinning = true
}
