package import ScenarioLanguage

/// A position in the bytes carried by a proxy at which it waits until it is resumed.
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
