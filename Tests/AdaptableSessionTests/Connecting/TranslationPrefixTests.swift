import AdaptableSession
import LinuxNet
import Testing

/// The table of RFC 6052 §2.4.
@Suite struct TranslationPrefixTests {
    private func prefix(_ text: String) throws -> TranslationPrefix {
        try #require(AddressPrefix(text).flatMap { TranslationPrefix($0) })
    }

    @Test(arguments: [
        ("2001:db8::/32", "2001:db8:c000:221::"), ("2001:db8:100::/40", "2001:db8:1c0:2:21::"),
        ("2001:db8:122::/48", "2001:db8:122:c000:2:2100::"), ("2001:db8:122:300::/56", "2001:db8:122:3c0:0:221::"),
        ("2001:db8:122:344::/64", "2001:db8:122:344:c0:2:2100::"),
        ("2001:db8:122:344::/96", "2001:db8:122:344::c000:221"),
        ("64:ff9b::/96", "64:ff9b::c000:221"),
    ])
    func `an IPv4 address is embedded at the position for the prefix length`(_ text: String, _ expected: String) throws
    {
        let address = try #require(IPAddress("192.0.2.33"))
        #expect(try prefix(text).synthesize(address) == IPAddress(expected))
        #expect(try prefix(text).synthesize(.loopbackV6) == nil)
    }

    @Test(arguments: [
        "2001:db8::/32", "2001:db8:100::/40", "2001:db8:122::/48", "2001:db8:122:300::/56", "2001:db8:122:344::/64",
        "64:ff9b::/96",
    ])
    func `a prefix is found in the reply for ipv4only`(_ text: String) throws {
        let prefix = try prefix(text)
        let answers = [IPAddress.v4(0xC000_00AA), .v4(0xC000_00AB)].compactMap { prefix.synthesize($0) }
        #expect(TranslationPrefix.discover(in: answers) == [prefix])
    }

    @Test func `several prefixes keep their order and other addresses contain none`() throws {
        let one = try prefix("64:ff9b::/96")
        let other = try prefix("2001:db8:64::/96")
        let known = IPAddress.v4(0xC000_00AA)
        let answers = [other, one].compactMap { $0.synthesize(known) } + [.v6(high: 1, low: 2), known]
        #expect(TranslationPrefix.discover(in: answers) == [other, one])
        #expect(AddressPrefix("64:ff9b::/90").flatMap { TranslationPrefix($0) } == nil)
        #expect(AddressPrefix("192.0.2.0/32").flatMap { TranslationPrefix($0) } == nil)
    }
}
