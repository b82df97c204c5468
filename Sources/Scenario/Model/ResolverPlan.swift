/// What the client's resolver is configured with, as `resolv.conf` has it.
package struct ResolverPlan: Hashable, Sendable {
    package enum Servers: Hashable, Sendable {
        /// Those of the interface that is in use; they change with it, as DHCP would change them.
        case ofInterfaces
        /// These addresses, whatever the interfaces do.
        case fixed([String])
    }
    package var servers: Servers = .ofInterfaces
    /// Domains that are tried below a name with fewer than `dots` dots.
    package var search: [String] = []
    package var timeoutSeconds: Int?
    package var attempts: Int?
    package var dots: Int?
    /// Whether the name servers accept TCP connections at all.
    package var acceptsTCP = true
    package init() {}
}
