/// The rules for deciding whether a network path exists.
package struct PathPolicy: Sendable, Equatable {
    /// An interface without a route does not count, because it reaches only its neighbours (CONN-32).
    package var needsRoute = true
    /// Interfaces with traits that the request forbids do not count (CONN-14, CONN-15, CONN-31).
    package var honoursForbidden = true
    /// A socket is bound to an allowed interface if any forbidden one exists, so that a route cannot send its packets
    /// through that one.
    package var bindsToAllowedInterface = true
}
