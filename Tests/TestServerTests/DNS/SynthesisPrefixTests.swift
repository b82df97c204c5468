import Testing

@testable import TestServer

/// The embeddings are the table of RFC 6052 §2.4, which has one line for each prefix length.
struct SynthesisPrefixTests {
    @Test(arguments: [
        ("2001:db8::/32", "2001:db8:c000:221::"), ("2001:db8:100::/40", "2001:db8:1c0:2:21::"),
        ("2001:db8:122::/48", "2001:db8:122:c000:2:2100::"), ("2001:db8:122:300::/56", "2001:db8:122:3c0:0:221::"),
        ("2001:db8:122:344::/64", "2001:db8:122:344:c0:2:2100::"),
        ("2001:db8:122:344::/96", "2001:db8:122:344::192.0.2.33"),
        ("64:ff9b::/96", "64:ff9b::192.0.2.33"),
    ])
    func `the example address is embedded as in the RFC`(prefix: String, expected: String) throws {
        let made = try #require(SynthesisPrefix(prefix)).embedding(0xc000_0221)
        #expect(DNSAddress.v6(made) == DNSAddress(expected))
    }

    @Test(arguments: [
        "2001:db8::", "2001:db8::/33", "2001:db8::/0", "2001:db8::/128", "2001:db8:1::/32", "2001:db8:0:0:100::/96",
        "192.0.2.0/32", "/96",
        "2001:db8::/96/96",
    ])
    func `a prefix of another form is refused`(prefix: String) {
        #expect(SynthesisPrefix(prefix) == nil)
    }
}
