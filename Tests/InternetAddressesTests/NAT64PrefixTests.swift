import InternetAddresses
import Testing

@Suite struct NAT64PrefixTests {
    // The table of RFC 6052 §2.4.
    @Test(arguments: [
        ("2001:db8::/32", "2001:db8:c000:221::"), ("2001:db8:100::/40", "2001:db8:1c0:2:21::"),
        ("2001:db8:122::/48", "2001:db8:122:c000:2:2100::"), ("2001:db8:122:300::/56", "2001:db8:122:3c0:0:221::"),
        ("2001:db8:122:344::/64", "2001:db8:122:344:c0:2:2100::"),
        ("2001:db8:122:344::/96", "2001:db8:122:344::c000:221"),
        ("64:ff9b::/96", "64:ff9b::c000:221"),
    ])
    func `the published examples are reproduced in both directions`(_ text: String, _ embedded: String) throws {
        let prefix = try #require(NAT64Prefix(text))
        let address = try #require(IPv4Address("192.0.2.33"))
        #expect(prefix.embed(address) == IPv6Address(embedded))
        #expect(prefix.extract(prefix.embed(address)) == address)
        #expect(prefix.description == text)
    }

    @Test(arguments: NAT64Prefix.lengths)
    func `every IPv4 address survives every length`(_ length: Int) throws {
        let prefix = try #require(NAT64Prefix(IPv6Address(high: 0x2001_0DB8 << 32, low: 0), length: length))
        var random = TestRandom(UInt64(length))
        var wrong: [IPv4Address] = []
        for _ in 0..<2000 {
            let address = IPv4Address(UInt32(truncatingIfNeeded: random.next()))
            let embedded = prefix.embed(address)
            // Bits 64 to 71 stay zero (RFC 6052 §2.2).
            if prefix.extract(embedded) != address || (length < 96 && embedded.low >> 56 != 0) { wrong.append(address) }
        }
        #expect(wrong.isEmpty)
        #expect(prefix.extract(IPv6Address("2001:db9::1")!) == nil)
    }

    @Test(arguments: [
        "64:ff9b::/95", "64:ff9b::1/96", "64:ff9b:0:0:ff00::/96", "2001:db8:1::/32", "64:ff9b::", "::/x",
        "2001:db8::/33",
        "192.0.2.0/32", "/96", "2001:db8::/96/96",
    ])
    func `text that is not a prefix is rejected`(_ text: String) {
        #expect(NAT64Prefix(text) == nil)
    }

    @Test func `the well-known prefix represents only global addresses`() throws {
        let own = try #require(NAT64Prefix("2001:db8:64::/96"))
        for text in [
            "10.1.2.3", "127.0.0.1", "169.254.1.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1",
            "192.0.2.1",
            "198.51.100.1", "203.0.113.1", "198.18.0.1", "0.1.2.3", "224.0.0.1", "255.255.255.255",
        ] {
            let address = try #require(IPv4Address(text))
            #expect(!NAT64Prefix.wellKnown.mayRepresent(address))
            #expect(own.mayRepresent(address))
        }
        for text in ["8.8.8.8", "172.32.0.1", "100.128.0.1", "192.0.1.1", "223.255.255.255", "11.0.0.0"] {
            #expect(NAT64Prefix.wellKnown.mayRepresent(try #require(IPv4Address(text))))
        }
    }
}
