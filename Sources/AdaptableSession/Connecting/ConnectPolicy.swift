/// The rules for Happy Eyeballs over the addresses of a host (RFC 8305). Times are in nanoseconds.
package struct ConnectPolicy: Sendable, Equatable {
    /// The session's oldest and newest version of TLS are kept (TLSV-01, TLSV-02).
    package var keepsTLSVersions = true
    /// Both families are looked up and tried; false uses the first address of the first reply.
    package var racesFamilies = true
    /// IPv6 addresses are tried first.
    package var prefersV6 = true
    /// The time after which the next address is tried while an attempt is still running (§5).
    package var attemptDelay: Int64 = 250_000_000
    /// After a failed attempt the next one starts immediately.
    package var failsOver = true
    /// Addresses to which no allowed interface has a route are not tried.
    package var skipsUnreachable = true
    /// If an interface is forbidden, DNS queries use allowed interfaces only.
    package var queriesByAllowedInterface = true
    /// An attempt over an interface that goes away is repeated over the remaining interfaces, or over the next one that
    /// comes up.
    package var restartsOnInterfaceLoss = true
}
