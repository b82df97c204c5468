package import InternetAddresses

/// The settings of a NAT64, including the networks on its two sides.
package struct NAT64Configuration: Hashable, Sendable {
    package var prefix: NAT64Prefix
    /// The one IPv4 address that all IPv6 hosts share.
    package var pool: IPv4Address
    /// The source of the translator's own errors to IPv6 hosts; towards IPv4 it uses `pool`.
    package var router6: IPv6Address
    /// Ports and ICMP identifiers that may be assigned.
    package var ports: ClosedRange<UInt16>
    package var filtering: Filtering
    /// True if the well-known prefix may represent non-global addresses, which RFC 6052 §3.1 forbids. A simulated
    /// internet of documentation addresses (RFC 5737) has only such addresses, so it needs this in order to use the
    /// prefix that clients expect.
    package var allowsNonGlobal: Bool
    package var mtu4: Int
    package var mtu6: Int
    /// IPv4 packets that allow fragmentation are fragmented to this size on the IPv6 side (RFC 7915 §4:
    /// `lowest-ipv6-mtu`).
    package var lowestMTU6: Int
    package var timeouts: Timeouts

    /// The peers that may send to a bound port (RFC 6146 §3.5).
    package enum Filtering: Hashable, Sendable {
        /// Any address.
        case endpointIndependent
        /// Only an address that the port's owner has sent to.
        case addressDependent
    }

    /// Timeouts in nanoseconds (RFC 6146 §4). The standard's minimums are not enforced: networks that expire sessions
    /// too early are worth simulating.
    package struct Timeouts: Hashable, Sendable {
        /// UDP_DEFAULT; a translator that follows the standard uses at least two minutes.
        package var udp: Int64 = 300_000_000_000
        package var tcpEstablished: Int64 = 7_440_000_000_000
        package var tcpTransitory: Int64 = 240_000_000_000
        /// The time that a filtered SYN waits for the matching SYN from inside.
        package var tcpIncomingSYN: Int64 = 6_000_000_000
        package var icmp: Int64 = 60_000_000_000
        package var fragment: Int64 = 2_000_000_000
        package init() {}
    }

    package init(
        prefix: NAT64Prefix, pool: IPv4Address, router6: IPv6Address, ports: ClosedRange<UInt16> = 1024...65535,
        filtering: Filtering = .endpointIndependent, allowsNonGlobal: Bool = false, mtu4: Int = 1500, mtu6: Int = 1500,
        lowestMTU6: Int = 1280, timeouts: Timeouts = Timeouts()
    ) {
        self.prefix = prefix
        self.pool = pool
        self.router6 = router6
        self.ports = ports
        self.filtering = filtering
        self.allowsNonGlobal = allowsNonGlobal
        self.mtu4 = mtu4
        self.mtu6 = mtu6
        self.lowestMTU6 = lowestMTU6
        self.timeouts = timeouts
    }

    var networks: TranslationNetworks {
        TranslationNetworks(
            prefix: prefix, allowsNonGlobal: allowsNonGlobal, router4: pool, router6: router6, mtu4: mtu4, mtu6: mtu6,
            lowestMTU6: lowestMTU6)
    }
}
