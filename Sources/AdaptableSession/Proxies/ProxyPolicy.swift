/// The rules for using proxies and for the information they receive.
package struct ProxyPolicy: Sendable, Equatable {
    /// Use the proxies of the session's configuration (PRXY-01).
    package var usesSessionProxies = true
    /// Use the system's proxies when the configuration sets none; on Linux these are the environment variables
    /// (PRXY-03).
    package var usesSystemProxies = true
    /// Reach loopback addresses directly: to a proxy on another machine they mean that machine.
    package var bypassesLoopback = true
    /// Send https requests through a tunnel, so that the proxy sees only the host and port.
    package var tunnelsHTTPS = true

    package init() {}
}
