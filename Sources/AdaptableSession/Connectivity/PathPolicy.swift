/// When a network counts as being there.
package struct PathPolicy: Sendable, Equatable {
    /// A cable without a signal, a switched-off radio: nothing is sent by them (CONN-13).
    package var needsRunningInterface = true
    /// An interface without an address of its own cannot be answered.
    package var needsAddress = true
    /// A link without a route leads nowhere but to its neighbours (CONN-32).
    package var needsRoute = true
    /// What a request forbids is not a path for it (CONN-14, CONN-15, CONN-31).
    package var honoursForbidden = true
    /// Cellular data cost unless the interface's alias says otherwise.
    package var cellularIsExpensive = true
    /// The words `expensive` and `constrained` in an interface's alias mark it.
    package var readsAlias = true
    /// A socket is bound to an allowed interface as soon as any forbidden one exists, so that no route can lead it astray.
    package var bindsToAllowedInterface = true
    /// The loopback interface leads to this machine only and needs no network.
    package var loopbackIsAlwaysOpen = true

    package init() {}
}
