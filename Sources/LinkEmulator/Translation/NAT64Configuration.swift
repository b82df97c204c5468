/// What a translator is told about the networks on its two sides.
package struct NAT64Configuration: Hashable, Sendable {
    package var prefix: NAT64Prefix
    /// The one IPv4 address that all IPv6 hosts share.
    package var pool: IPv4Address
    /// The address from which the translator itself reports errors to IPv6 hosts; towards IPv4 it uses `pool`.
    package var router6: IPv6Address
    /// Ports and ICMP identifiers that may be given out.
    package var ports: ClosedRange<UInt16>
    package var mtu4: Int
    package var mtu6: Int
    /// IPv4 packets that may be fragmented are cut to this on the IPv6 side (RFC 7915 §4: `lowest-ipv6-mtu`).
    package var lowestMTU6: Int
    package var timeouts: Timeouts

    /// Nanoseconds (RFC 6146 §4).
    package struct Timeouts: Hashable, Sendable {
        package var udp: Int64 = 300_000_000_000
        package var tcpEstablished: Int64 = 7_440_000_000_000
        package var tcpTransitory: Int64 = 240_000_000_000
        package var icmp: Int64 = 60_000_000_000
        package var fragment: Int64 = 2_000_000_000
        package init() {}
    }

    package init(
        prefix: NAT64Prefix, pool: IPv4Address, router6: IPv6Address, ports: ClosedRange<UInt16> = 1024...65535,
        mtu4: Int = 1500, mtu6: Int = 1500, lowestMTU6: Int = 1280, timeouts: Timeouts = Timeouts()
    ) {
        self.prefix = prefix
        self.pool = pool
        self.router6 = router6
        self.ports = ports
        // Neither side can be narrower than its protocol's minimum, nor wider than a length field.
        self.mtu4 = min(max(68, mtu4), Int(UInt16.max))
        self.mtu6 = min(max(1280, mtu6), Int(UInt16.max))
        self.lowestMTU6 = max(1280, lowestMTU6)
        self.timeouts = timeouts
    }
}
