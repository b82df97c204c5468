import InternetAddresses
import Testing

struct IPAddressTests {
    @Test(arguments: ["0.0.0.0", "192.0.2.1", "::", "::1", "2001:db8::1", "fe80::1234:5678:9abc:def0"])
    func `a parsed address prints the same text`(text: String) throws {
        #expect(try #require(IPAddress(text)).description == text)
    }

    @Test(arguments: ["", "1.2.3", "1.2.3.4.5", "256.1.1.1", "::g", "1::2::3", "example.com", "1.2.3.4 "])
    func `text that is not an address is rejected`(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test func `bytes are in network order`() {
        #expect(IPAddress("192.0.2.1")?.bytes == [192, 0, 2, 1])
        #expect(IPAddress("2001:db8::102")?.bytes == [0x20, 1, 0x0D, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2])
        #expect(IPAddress(bytes: [192, 0, 2, 1]) == IPAddress("192.0.2.1"))
        #expect(IPAddress(bytes: [1, 2, 3]) == nil)
    }

    @Test(arguments: [
        ("10.1.2.3/24", "10.1.2.0/24"), ("10.1.2.3/0", "0.0.0.0/0"), ("10.1.2.255/25", "10.1.2.128/25"),
        ("10.1.2.3", "10.1.2.3/32"), ("2001:db8:ffff::1/33", "2001:db8:8000::/33"),
    ])
    func `a network has its host bits cleared`(text: String, network: String) throws {
        #expect(try #require(AddressPrefix(text)).network.description == network)
    }

    @Test(arguments: ["10.0.0.1/33", "10.0.0.1/-1", "::1/129", "10.0.0.1/", "/24"])
    func `an invalid prefix length is rejected`(text: String) {
        #expect(AddressPrefix(text) == nil)
    }
}
