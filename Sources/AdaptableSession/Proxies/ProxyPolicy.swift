/// When a proxy is used and what it is told.
package struct ProxyPolicy: Sendable, Equatable {
    /// A session's own proxies are used (PRXY-01).
    package var usesSessionProxies = true
    /// Without its own a session uses the system's: the environment's, on Linux (PRXY-03).
    package var usesSystemProxies = true
    /// Hosts of the exceptions list and of `no_proxy` are reached directly.
    package var honoursExceptions = true
    /// This machine itself is never reached by way of a proxy that another machine may be.
    package var bypassesLoopback = true
    /// https goes through a tunnel, so that the proxy sees only where to.
    package var tunnelsHTTPS = true
    /// Credentials of the configuration go along with the first request instead of waiting for 407.
    package var sendsConfiguredCredentials = true

    package init() {}
}
