/// How a connection is raced over the addresses of a host (RFC 8305).
package struct ConnectPolicy: Sendable, Equatable {
    /// Both families are asked for and tried; false takes the first answer and its first address.
    package var racesFamilies = true
    /// IPv6 goes first.
    package var prefersV6 = true
    /// How long IPv6 addresses are waited for after IPv4 ones have come (§3).
    package var resolutionDelay: Int64 = 50_000_000
    /// How long an attempt is alone before the next address is tried (§5).
    package var attemptDelay: Int64 = 250_000_000
    /// How many addresses of the preferred family come before the first of the other (§4).
    package var firstFamilyCount = 1
    /// A failed attempt is followed by the next at once.
    package var failsOver = true
    /// On a network without IPv4 an IPv4 literal is reached through the translator's prefix (§7.1, RFC 7050).
    package var synthesizesLiterals = true
    /// On such a network A records are asked for after this time when nothing has connected (§7.2).
    package var lastResortDelay: Int64 = 2_000_000_000
    package var usesLastResort = true
    /// Addresses to which no allowed interface leads are not tried.
    package var skipsUnreachable = true
    /// Where an interface is forbidden, names too are asked for by allowed ones only.
    package var queriesByAllowedInterface = true
    /// An attempt by an interface that goes away is made again by those that are left, or that come.
    package var restartsOnInterfaceLoss = true

    package init() {}
}
