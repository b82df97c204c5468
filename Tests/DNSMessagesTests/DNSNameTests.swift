import Testing

@testable import DNSMessages

struct DNSNameTests {
    @Test func `letters are kept, and compared without case`() throws {
        let name = try #require(DNSName("ApI.Test."))
        #expect(name.description == "ApI.Test")
        #expect(name.folded == "api.test")
        #expect(name != DNSName("api.test"))
    }

    @Test func `bytes that could be misread are escaped`() {
        // RFC 1035 §5.1; only ASCII letters are folded (RFC 4343 §3), so É keeps its bytes.
        let name = DNSName(labels: [Array("a.b\\".utf8), [0, 32, 0xc3, 0x89], Array("Z[".utf8)])
        #expect(name.folded == "a\\.b\\\\.\\000\\032\\195\\137.z[")
    }

    @Test func `a name respects the limits of the wire`() {
        let label = String(repeating: "a", count: 63)
        // 3 × 64 + 62 + 1 = 255 octets.
        #expect(DNSName([label, label, label, String(label.dropLast(2))].joined(separator: ".")) != nil)
        #expect(DNSName([label, label, label, String(label.dropLast(1))].joined(separator: ".")) == nil)
        #expect(DNSName(label + "a") == nil)
        #expect(DNSName("a..b") == nil)
        #expect(DNSName("") == nil)
        #expect(DNSName(".") == .root)
    }
}
