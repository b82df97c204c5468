import LinkEmulator
import Testing

@Suite struct AddressTests {
    @Test(arguments: [
        ("::", "::"), ("::1", "::1"), ("1::", "1::"), ("2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
        ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"), ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"),
        ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"), ("fe80:0:0:0:0:0:0:1", "fe80::1"),
    ])
    func `IPv6 text is read and written in its canonical form`(_ text: String, _ canonical: String) {
        #expect(IPv6Address(text)?.description == canonical)
    }

    @Test(arguments: [
        "", ":", ":::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "+1::", "g::", "1:2:3:4:5:6:7:8::",
        "1.2.3.4", "::1.2.3.4:5", "::1.2.3", "1:", "::1:", "fe80::1%eth0", "2001:db8::/32",
    ])
    func `text that is not an IPv6 address is rejected`(_ text: String) {
        #expect(IPv6Address(text) == nil)
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
