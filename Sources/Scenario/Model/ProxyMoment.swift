/// A moment at a proxy, by its name under `proxies`; counts start at 1 and are the proxy's own.
package struct ProxyMoment: Hashable, Sendable {
    package enum Event: Hashable, Sendable {
        /// The k-th request reached the proxy.
        case request(Int)
        /// The k-th connection through the proxy stands: a tunnel, or what a relayed request goes over.
        case tunnel(Int)
        /// Exactly this many bytes went on in this direction for the k-th request; the proxy waits there.
        case carried(ProxyFault.Direction, bytes: Int64, request: Int)
    }
    package var proxy: String
    package var event: Event
    package init(proxy: String, event: Event) {
        self.proxy = proxy
        self.event = event
    }
}

/// What a running proxy is from a moment on; its kind, port and certificate stay.
package struct ProxyChange: Hashable, Sendable {
    package var proxy: String
    /// nil: as before.
    package var access: ProxyPlan.Access?
    /// nil: as before; else these in place of all others, counted anew.
    package var faults: [ProxyFault]?
    package init(proxy: String, access: ProxyPlan.Access? = nil, faults: [ProxyFault]? = nil) {
        self.proxy = proxy
        self.access = access
        self.faults = faults
    }
}
