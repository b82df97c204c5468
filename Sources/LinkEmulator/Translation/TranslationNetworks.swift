import InternetAddresses

/// The translator settings about its two networks that do not depend on the address mapping.
struct TranslationNetworks: Hashable, Sendable {
    var prefix: NAT64Prefix
    /// True if the well-known prefix may represent non-global addresses, contrary to RFC 6052 §3.1.
    var allowsNonGlobal: Bool
    /// The source addresses of the translator's own errors.
    var router4: IPv4Address
    var router6: IPv6Address
    let mtu4: Int
    let mtu6: Int
    let lowestMTU6: Int

    init(
        prefix: NAT64Prefix, allowsNonGlobal: Bool, router4: IPv4Address, router6: IPv6Address, mtu4: Int, mtu6: Int,
        lowestMTU6: Int
    ) {
        self.prefix = prefix
        self.allowsNonGlobal = allowsNonGlobal
        self.router4 = router4
        self.router6 = router6
        // Each MTU is at least its protocol's minimum and fits into a length field.
        self.mtu4 = min(max(68, mtu4), Int(UInt16.max))
        self.mtu6 = min(max(1280, mtu6), Int(UInt16.max))
        self.lowestMTU6 = max(1280, lowestMTU6)
    }

    func mayRepresent(_ address: IPv4Address) -> Bool { allowsNonGlobal || prefix.mayRepresent(address) }
}
