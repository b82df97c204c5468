package import Scenario

/// A place in what a proxy carries at which it waits until it is told to go on.
package struct ProxyBreakpoint: Hashable, Sendable {
    package var direction: ProxyFault.Direction
    package var bytes: Int64
    /// The k-th request at the proxy.
    package var request: Int
    package init(direction: ProxyFault.Direction, bytes: Int64, request: Int) {
        self.direction = direction
        self.bytes = bytes
        self.request = request
    }
}
