/// A moment at a proxy, which is given by its name under `proxies`. Counts start at 1 and are kept per proxy.
package struct ProxyMoment: Hashable, Sendable {
    package enum Event: Hashable, Sendable {
        /// The k-th request reached the proxy.
        case request(Int)
        /// The k-th connection through the proxy is established: a tunnel, or the connection of a relayed request.
        case tunnel(Int)
        /// Exactly this many bytes were forwarded in this direction for the k-th request; the proxy waits there.
        case carried(ProxyFault.Direction, bytes: Int64, request: Int)
    }
    package var proxy: String
    package var event: Event
    package init(proxy: String, event: Event) {
        self.proxy = proxy
        self.event = event
    }
}

/// A change to a running proxy; its kind, port and certificate stay the same.
package struct ProxyChange: Hashable, Sendable {
    package var proxy: String
    /// nil: unchanged.
    package var access: ProxyPlan.Access?
    /// nil: unchanged; otherwise these replace all others, and their counts start again.
    package var faults: [ProxyFault]?
    package init(proxy: String, access: ProxyPlan.Access? = nil, faults: [ProxyFault]? = nil) {
        self.proxy = proxy
        self.access = access
        self.faults = faults
    }
}
