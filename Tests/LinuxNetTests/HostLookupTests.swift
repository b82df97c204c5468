import LinuxNet
import Testing

/// Only what the machine itself knows: a test asks no name server.
@Suite struct HostLookupTests {
    @Test func `The machine knows itself, and an address is its own name`() throws {
        #expect(try HostLookup.addresses(of: "localhost", v6: false) == [.loopbackV4])
        #expect(try HostLookup.addresses(of: "127.0.0.1", v6: false) == [.loopbackV4])
        #expect(try HostLookup.addresses(of: "::1", v6: true) == [.loopbackV6])
    }

    @Test func `An address of the other family is no address`() {
        #expect(throws: HostLookupError.noAddress) { try HostLookup.addresses(of: "127.0.0.1", v6: true) }
    }
}
