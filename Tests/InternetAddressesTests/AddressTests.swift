import InternetAddresses
import Testing

/// SplitMix64, so that a failing address appears in every run.
struct TestRandom {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }
}

@Suite struct AddressTests {
    @Test(arguments: [
        ("::", "::"), ("::1", "::1"), ("1::", "1::"), ("2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
        ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"), ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"),
        ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"), ("fe80:0:0:0:0:0:0:1", "fe80::1"),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.1"), ("1::ffff:192.0.2.1", "1::ffff:c000:201"),
    ])
    func `IPv6 text is read and written in its canonical form`(_ text: String, _ canonical: String) {
        #expect(IPv6Address(text)?.description == canonical)
    }

    @Test(arguments: [
        "", ":", ":::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "+1::", "g::", "1:2:3:4:5:6:7:8::",
        "1.2.3.4", "::1.2.3.4:5", "::1.2.3", "1:", "::1:", "fe80::1%eth0", "2001:db8::/32",
        "1:2:3:4:5:6:7::8:9", "1.2.3.4::", "[::1]",
    ])
    func `text that is not an IPv6 address is rejected`(_ text: String) {
        #expect(IPv6Address(text) == nil)
    }

    @Test func `only addresses in the mapped block are mapped`() throws {
        #expect(try #require(IPv6Address("::ffff:192.0.2.1")).isIPv4Mapped)
        #expect(try #require(IPv6Address("::fffe:192.0.2.1")).isIPv4Mapped == false)
        #expect(try #require(IPv6Address("1::ffff:192.0.2.1")).isIPv4Mapped == false)
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.255.0.9", true), ("128.0.0.1", false), ("::1", true), ("::ffff:127.0.0.1", true),
        ("::2", false), ("::ffff:10.0.0.1", false),
    ])
    func `loopback addresses are recognised`(_ text: String, _ isLoopback: Bool) throws {
        #expect(try #require(IPAddress(text)).isLoopback == isLoopback)
    }

    @Test(arguments: [
        ("169.254.0.1", true), ("169.255.0.1", false), ("fe80::1", true), ("febf::1", true), ("fec0::1", false),
    ])
    func `link-local addresses are recognised`(_ text: String, _ isLinkLocal: Bool) throws {
        #expect(try #require(IPAddress(text)).isLinkLocal == isLinkLocal)
    }

    @Test func `every IPv6 address can be parsed from its text`() {
        var random = TestRandom(3)
        for _ in 0..<2000 {
            // Many zero words, so that the shortening occurs in every position.
            let mask = random.next()
            func half(_ shift: UInt64) -> UInt64 {
                (0..<4).reduce(0) { $0 << 16 | (mask >> (shift + UInt64($1)) & 1 == 0 ? 0 : random.next() & 0xFFFF) }
            }
            let address = IPv6Address(high: half(0), low: half(4))
            #expect(IPv6Address(address.description) == address)
        }
    }

    @Test func `IPv4 text is read strictly`() {
        #expect(IPv4Address("203.0.113.10") == IPv4Address(0xCB00_710A))
        #expect(IPv4Address(0xCB00_710A).description == "203.0.113.10")
        for text in ["", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "+1.2.3.4", "1..2.3", "1.2.3.4 "] {
            #expect(IPv4Address(text) == nil)
        }
    }
}
