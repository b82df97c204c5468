import Testing

@testable import Scenario

struct AddressParserTests {
    @Test func `literal addresses are read in all their forms`() {
        #expect(AddressParser.ipv4("203.0.113.99") == [203, 0, 113, 99])
        #expect(AddressParser.ipv6("::") == [UInt8](repeating: 0, count: 16))
        #expect(AddressParser.ipv6("2001:db8::1") == [0x20, 1, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [1])
        #expect(AddressParser.ipv6("1:2:3:4:5:6:7:8") == [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8])
        #expect(AddressParser.ipv6("64:ff9b::192.0.2.1")?.suffix(4) == [192, 0, 2, 1])
        #expect(AddressParser.ipv6("::ffff:10.0.0.1")?[10...] == [0xFF, 0xFF, 10, 0, 0, 1])
    }

    @Test(arguments: [
        "", "1", "1.2.3", "1.2.3.4.5", "256.0.0.1", "01.2.3.4", "1.2.3.-4", ":", ":::", "1::2::3", "12345::",
        "1:2:3:4:5:6:7",
        "g::",
        "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7::8:9", "1.2.3.4::", "fe80::1%eth0",
    ])
    func `a text that is not an address is refused`(text: String) {
        #expect(!AddressParser.isAddress(text))
    }

    @Test(arguments: ["2001:db8::/32", "2001:db8:64::/96", "2001:db8:122:344::/64", "64:ff9b:1::/96", "64:ff9b::/96"])
    func `prefixes of RFC 6052 are usable`(text: String) {
        #expect(AddressParser.problemOfTranslationPrefix(text) == nil)
    }

    @Test(arguments: [
        ("2001:db8::/95", "§2.2"), ("2001:db8::1/96", "behind its length"),
        ("2001:db8:0:0:ff00::/96", "64 to 71"), ("2001:db8::", "no IPv6 prefix"), ("10.0.0.0/8", "no IPv6 prefix"),
        ("2001:db8::/x", "no IPv6 prefix"),
    ])
    func `other prefixes are refused with the reason`(text: String, message: String) {
        #expect(AddressParser.problemOfTranslationPrefix(text)?.contains(message) == true)
    }
}
