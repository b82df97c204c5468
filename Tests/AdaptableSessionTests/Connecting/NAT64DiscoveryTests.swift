import AdaptableSession
import InternetAddresses
import Testing

@Suite struct NAT64DiscoveryTests {
    private let known: [IPv4Address] = [0xC000_00AA, 0xC000_00AB]

    @Test(arguments: [
        "2001:db8::/32", "2001:db8:100::/40", "2001:db8:122::/48", "2001:db8:122:300::/56", "2001:db8:122:344::/64",
        "64:ff9b::/96",
    ])
    func `a prefix is found in the reply for ipv4only`(_ text: String) throws {
        let prefix = try #require(NAT64Prefix(text))
        #expect(NAT64Discovery.prefixes(in: known.map { .v6(prefix.embed($0)) }) == [prefix])
    }

    @Test func `several prefixes keep their order and other addresses contain none`() throws {
        let one = try #require(NAT64Prefix("64:ff9b::/96"))
        let other = try #require(NAT64Prefix("2001:db8:64::/96"))
        let answers = [other, one].map { IPAddress.v6($0.embed(known[0])) } + [.v6(high: 1, low: 2), .v4(known[0])]
        #expect(NAT64Discovery.prefixes(in: answers) == [other, one])
    }

    @Test func `an address with bits 64 to 71 set contains none`() throws {
        let address = try #require(IPAddress("2001:db8:122:344:1c0:0:aa00::"))
        #expect(NAT64Discovery.prefixes(in: [address]).isEmpty)
    }
}
