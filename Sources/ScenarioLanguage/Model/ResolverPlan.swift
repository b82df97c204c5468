/// The configuration of the client's resolver, as in `resolv.conf`.
package struct ResolverPlan: Hashable, Sendable {
    package enum Servers: Hashable, Sendable {
        /// The servers of the interface in use; they change with it, as DHCP would change them.
        case ofInterfaces
        /// These addresses, independent of the interfaces.
        case fixed([String])
    }
    package var servers: Servers = .ofInterfaces
    /// Domains that are appended to a name with fewer than `dots` dots.
    package var search: [String] = []
    package var timeoutSeconds: Int?
    package var attempts: Int?
    package var dots: Int?
    /// The name servers accept TCP connections.
    package var acceptsTCP = true
    package init() {}
}
