import Testing

@testable import TestServer

/// The texts are those of RFC 4291 §2.2 and RFC 5952 §4, plus near misses that a lenient parser would accept.
struct DNSAddressTests {
    @Test(arguments: [
        ("0.0.0.0", "0.0.0.0"), ("203.0.113.10", "203.0.113.10"), ("255.255.255.255", "255.255.255.255"),
        ("::", "::"), ("::1", "::1"), ("2001:DB8:0:0:8:800:200C:417A", "2001:db8::8:800:200c:417a"),
        ("ff01::101", "ff01::101"),
        ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"), ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
        ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"), ("::ffff:129.144.52.38", "::ffff:8190:3426"),
        ("2001:db8::", "2001:db8::"),
        ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
    ])
    func `an address is parsed and written in its canonical form`(text: String, canonical: String) throws {
        #expect(try #require(DNSAddress(text)).description == canonical)
    }

    @Test(arguments: [
        "", "1.2.3", "1.2.3.4.5", "256.0.0.1", "01.2.3.4", "1.2.3.+4", "1..2.3", ":", ":::", "1::2::3", "12345::",
        "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::", "fe80::1%eth0", "[::1]", "::+1", "::-1", "1.2.3.4::", "::1.2.3",
        "g::", "api.test",
    ])
    func `anything else is refused`(text: String) {
        #expect(DNSAddress(text) == nil)
    }

    @Test func `only the mapped block is mapped`() throws {
        #expect(try #require(DNSAddress("::ffff:192.0.2.1")).isMappedIPv4)
        #expect(try #require(DNSAddress("::fffe:192.0.2.1")).isMappedIPv4 == false)
        #expect(try #require(DNSAddress("1::ffff:192.0.2.1")).isMappedIPv4 == false)
    }
}
