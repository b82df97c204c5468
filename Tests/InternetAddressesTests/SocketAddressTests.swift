import InternetAddresses
import Testing

struct SocketAddressTests {
    @Test(arguments: ["192.0.2.1:80", "[2001:db8::1]:443", "[::]:0"])
    func `a parsed address prints the same text`(text: String) throws {
        #expect(try #require(SocketAddress(text)).description == text)
    }

    @Test(arguments: ["192.0.2.1", "192.0.2.1:", "192.0.2.1:65536", "::1:80", "[192.0.2.1]:80", ":80"])
    func `text that is not a socket address is rejected`(text: String) {
        #expect(SocketAddress(text) == nil)
    }
}
