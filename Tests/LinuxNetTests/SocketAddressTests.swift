import LinuxNet
import Testing

struct SocketAddressTests {
    @Test(arguments: ["192.0.2.1:80", "[2001:db8::1]:443", "[::]:0"])
    func `what is parsed prints the same`(text: String) throws {
        #expect(try #require(SocketAddress(text)).description == text)
    }

    @Test(arguments: ["192.0.2.1", "192.0.2.1:", "192.0.2.1:65536", "::1:80", "[192.0.2.1]:80", ":80"])
    func `what is no socket address is refused`(text: String) {
        #expect(SocketAddress(text) == nil)
    }
}
