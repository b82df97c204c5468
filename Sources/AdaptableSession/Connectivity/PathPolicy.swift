/// The rules for deciding whether a network path exists.
package struct PathPolicy: Sendable, Equatable {
    /// An interface without a carrier or that is switched off does not count (CONN-13).
    package var needsRunningInterface = true
    /// An interface without an address does not count, because it cannot receive replies.
    package var needsAddress = true
    /// An interface without a route does not count, because it reaches only its neighbours (CONN-32).
    package var needsRoute = true
    /// Interfaces with traits that the request forbids do not count (CONN-14, CONN-15, CONN-31).
    package var honoursForbidden = true
    /// Cellular interfaces are expensive unless the interface's alias says otherwise.
    package var cellularIsExpensive = true
    /// The words `expensive` and `constrained` in an interface's alias set its traits.
    package var readsAlias = true
    /// A socket is bound to an allowed interface if any forbidden one exists, so that a route cannot send its packets
    /// through that one.
    package var bindsToAllowedInterface = true
    /// Loopback addresses are always reachable, because they lead to this machine and need no network.
    package var loopbackIsAlwaysOpen = true

    package init() {}
}
